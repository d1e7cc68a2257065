import { describe, expect, it } from 'vitest';
import { digestEntries } from '../../../src/compaction/digest/digest-entries.ts';
import { emptySummary, type Summary } from '../../../src/record/index.ts';
import { assistant, compaction, logOf, restoration, toolCall, user } from '../../../src/testing/index.ts';

const texts = (lines: readonly { readonly text: string }[]) => lines.map(({ text }) => text);
const digest = (entries: Parameters<typeof digestEntries>[0]) => digestEntries(entries, { maxTokens: 2000 });

describe('merging summaries', () => {
  const part = (fields: Partial<Summary>): Summary => ({ ...emptySummary(), ...fields });
  const line = (text: string, id: string) => ({ text, from: [id] });
  const [a, b, c] = logOf(user('a'), user('b'), user('c')).map(({ id }) => id) as [string, string, string];

  it('drops a pending line that was completed later, and keeps the others', () => {
    const earlier = [
      part({ pending: [line('write the docs', a), line('tag the release', a)] }),
      part({ completed: [line('Write the docs.', b)] }),
    ];
    const summary = digestEntries([], { maxTokens: 500, earlier });
    expect(texts(summary.pending)).toEqual(['tag the release']);
    expect(texts(summary.completed)).toEqual(['Write the docs.']);
  });

  it('drops a pending line that the messages after it finish', () => {
    const earlier = [part({ pending: [line('write the docs', a)] })];
    const todos = [{ content: 'Write the docs', status: 'completed' }];
    const summary = digestEntries(logOf(toolCall('TodoWrite', { todos })), { maxTokens: 500, earlier });
    expect(summary.pending).toEqual([]);
  });

  it('keeps open a completed task that is asked for again', () => {
    const earlier = [
      part({ completed: [line('run the tests', a)] }),
      part({ pending: [line('run the tests', b)] }),
    ];
    const summary = digestEntries([], { maxTokens: 500, earlier });
    expect(texts(summary.pending)).toEqual(['run the tests']);
    expect(summary.completed).toEqual([]);
  });

  it('does not take a word that two lines share for the same task', () => {
    const earlier = [
      part({ pending: [line('tests', a)] }),
      part({ completed: [line('run all tests twice', b)] }),
    ];
    expect(texts(digestEntries([], { maxTokens: 500, earlier }).pending)).toEqual(['tests']);
  });

  it('keeps lines in order, with the entries they came from', () => {
    const earlier = [
      part({ facts: [line('> budget 4000 euro for Lisbon', a)] }),
      part({ facts: [line('server moved, Frankfurt in May', b), line('backups kept for 30 days', c)] }),
    ];
    expect(digestEntries([], { maxTokens: 500, earlier }).facts).toEqual([
      { text: '> budget 4000 euro for Lisbon', from: [a] },
      { text: 'server moved, Frankfurt in May', from: [b] },
      { text: 'backups kept for 30 days', from: [c] },
    ]);
  });

  it('loses what says least first', () => {
    const filler = Array.from({ length: 30 }, (_, n) =>
      line(`went on with the work as before, part ${'abcdefghijklmnopqrstuvwxyz1234'[n]}`, a),
    );
    const summary = digestEntries([], {
      maxTokens: 60,
      earlier: [part({ facts: [...filler, line('Zürich office closes on 12 June 2026', b)] })],
    });
    expect(texts(summary.facts)).toContain('Zürich office closes on 12 June 2026');
    expect(summary.facts.length).toBeLessThan(15);
  });

  it('joins files and ledgers, the newest outcome of a command counting', () => {
    const earlier = [
      part({
        files: [{ path: 'a.ts', operations: ['read'], from: [a] }],
        ledger: [{ kind: 'command', text: 'npm test → exit 1', entry: a }],
      }),
      part({
        files: [{ path: 'a.ts', operations: ['edited'], from: [b] }],
        ledger: [{ kind: 'command', text: 'npm test → exit 0', entry: b }],
      }),
    ];
    const summary = digestEntries([], { maxTokens: 500, earlier });
    expect(summary.files).toEqual([{ path: 'a.ts', operations: ['read', 'edited'], from: [a, b] }]);
    expect(summary.ledger).toEqual([{ kind: 'command', text: 'npm test → exit 0', entry: b }]);
  });

  it('carries the reason of a decision and what it took the place of', () => {
    const decided = {
      ...line('the lease is 2 minutes', a),
      reason: 'jobs are short',
      supersedes: '3 minutes',
    };
    const summary = digestEntries([], { maxTokens: 500, earlier: [part({ decisions: [decided] })] });
    expect(summary.decisions).toEqual([decided]);
  });

  it('merges compactions and restorations that stand in the range itself', () => {
    const summary = digest(
      logOf(
        restoration('parent', part({ facts: [line('parent session used port 5433', a)] })),
        compaction({
          covers: { from: 90, to: 95 },
          summary: part({ facts: [line('child used port 6544', b)] }),
        }),
      ),
    );
    expect(texts(summary.facts)).toEqual(['parent session used port 5433', 'child used port 6544']);
  });

  it('carries the goal of the oldest part and what it became', () => {
    const first = digest(logOf(user('Build a date parser.'), assistant('Built.')));
    const second = digest(
      logOf(
        user('Please make the parser faster.'),
        assistant('Twice as fast.'),
        user('Please ship it.'),
        assistant('Shipped.'),
      ),
    );
    const { goal, overview } = digestEntries([], { maxTokens: 500, earlier: [first, second] });
    expect(texts(goal!)).toEqual(['Build a date parser.', 'Please make the parser faster.']);
    expect(overview).toBe('Build a date parser.');
  });

  it('hands on a foreign summary of the beginning', () => {
    const earlier = [part({ overview: 'A date parser was built.' })];
    const summary = digestEntries(logOf(user('Please ship the parser today.'), assistant('Shipped.')), {
      maxTokens: 500,
      earlier,
    });
    expect(texts(summary.goal!)).toEqual(['A date parser was built.', 'Please ship the parser today.']);
  });
});
