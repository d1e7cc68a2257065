import { describe, expect, it } from 'vitest';
import { emptySummary, type Summary } from '../../src/record/index.ts';
import {
  foldCheckpoint,
  readCheckpointFile,
  readSyntheticPair,
  readWorkingSet,
  renderSummary,
  writeCheckpointFile,
  writeSyntheticPair,
  writeWorkingSet,
} from '../../src/summary/index.ts';
import { countText } from '../../src/tokens/index.ts';

const line = (text: string) => ({ text, from: [] });
const summary: Summary = {
  ...emptySummary('Package renamed and tools added.'),
  decisions: [line('Renamed package from airarmy to aiarmy')],
  completed: [line('20 tools implemented')],
  pending: [line('Test with real session key')],
  blockers: [line('LSP errors in claude_session.py')],
  facts: [line('Auth mode: session_key')],
  files: [{ path: 'pyproject.toml', operations: ['edited'] }],
  ledger: [{ kind: 'command', text: 'pytest (exit 0)', entry: '01890000-0000-7000-8000-000000000000' }],
};
const checkpoint = foldCheckpoint([summary]);

describe('the faces of a summary', () => {
  it('as a working set: the fields that agents of this kind expect', () => {
    const set = writeWorkingSet(checkpoint, {
      summary: summary.overview,
      pinned: ['Project: AIarmy'],
      recent: [{ role: 'user', content: 'go on' }],
      tokens: { used: 15_234, limit: 100_000 },
    });
    expect(set).toEqual({
      summary: 'Package renamed and tools added.',
      pinned_facts: ['Project: AIarmy', 'Auth mode: session_key'],
      decisions: ['Renamed package from airarmy to aiarmy'],
      open_tasks: ['Test with real session key'],
      files_touched: ['pyproject.toml'],
      recent_messages: [{ role: 'user', content: 'go on' }],
      token_budget: { used: 15_234, limit: 100_000 },
    });
    expect(readWorkingSet(set)).toMatchObject({
      overview: summary.overview,
      decisions: summary.decisions,
      pending: summary.pending,
    });
  });

  it('as a working set that another program left half empty', () => {
    expect(readWorkingSet({ summary: 'only this' })).toEqual(emptySummary('only this'));
  });

  it('as a pair of messages', () => {
    const pair = writeSyntheticPair('- did things');
    expect(pair.user).toBe('[Session Summary - Earlier conversation compressed]\n\n- did things');
    expect(pair.assistant).toBe(
      "Understood. I have the context from our earlier conversation. Let's continue.",
    );
    expect(readSyntheticPair(pair.user)).toBe('- did things');
    expect(readSyntheticPair('an ordinary question')).toBeUndefined();
  });

  it('as a checkpoint file, with its loop and its token accounting', () => {
    const file = writeCheckpointFile(checkpoint, {
      sessionId: 's',
      version: 3,
      createdAt: 0,
      updatedAt: 1_000,
      loop: { kind: 'loop', iteration: 4, passed: ['build'], failed: ['test'], lastError: null },
      lastCompactionInput: 90_000,
      totalSaved: 250_000,
    });
    expect(file).toMatchObject({
      sessionId: 's',
      version: 3,
      createdAt: '1970-01-01T00:00:00.000Z',
      summary: {
        completedItems: ['20 tools implemented'],
        pendingItems: ['Test with real session key'],
        decisions: ['Renamed package from airarmy to aiarmy'],
        blockers: ['LSP errors in claude_session.py'],
      },
      ralphLoop: { currentIteration: 4, passedChecks: ['build'], failedChecks: ['test'] },
      tokens: { lastCompactionInput: 90_000, totalSaved: 250_000 },
    });
    expect(file.ralphLoop).not.toHaveProperty('lastError');
    expect(readCheckpointFile(JSON.parse(JSON.stringify(file))).decisions).toEqual(checkpoint.decisions);
  });

  it('as markdown for a model', () => {
    expect(renderSummary(summary)).toBe(`## Conversation Summary
Package renamed and tools added.
### Decisions
- Renamed package from airarmy to aiarmy
### Pending
- Test with real session key
### Blockers
- LSP errors in claude_session.py
### Completed
- 20 tools implemented
### Facts
- Auth mode: session_key
### Files
- pyproject.toml (edited)
### Ledger
- command: pytest (exit 0)`);
  });

  it('as markdown within any budget', () => {
    const long = {
      ...summary,
      facts: Array.from({ length: 200 }, (_, n) => line(`fact number ${n} about the thing`)),
    };
    for (const maxTokens of [2_000, 500, 100, 30]) {
      expect(countText(renderSummary(long, { maxTokens }))).toBeLessThanOrEqual(maxTokens);
    }
    expect(renderSummary(long, { maxTokens: 500 })).toContain('fact number 199');
  });
});
