import { appendFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readCheckpoint } from '../../../src/compaction/index.ts';
import { emptySummary } from '../../../src/record/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { countText } from '../../../src/tokens/index.ts';
import { formatNamed, importSource, textSource } from '../../../src/transcripts/index.ts';
import { compactFile, type SummaryStyle } from '../../../src/transcripts/shorten/index.ts';
import { scripted } from '../../compaction/scripted-summariser.ts';
import * as claude from '../formats/claude-code/lines.ts';
import { createFolder } from './folder.ts';

const TOPICS = [
  'Primary Request and Intent',
  'Files and Code Sections',
  'Key Decisions',
  'All user messages',
  'Pending Tasks',
];

/** In the form that Claude Code's model writes: numbered sections, lists inside lists, code. */
function summaryOf(each: number): string {
  const sections = TOPICS.map((topic, at) => {
    const lines = Array.from({ length: each }, (_, n) => [
      `   - **Part ${at}.${n}** keeps its ${topic.toLowerCase()} in \`src/m${at}/f${n}.ts\``,
      `     - because "the user" said ${at}.${n}, and not   otherwise`,
    ]).flat();
    return [
      `${at + 1}. ${topic}:`,
      ...lines,
      '     ```go',
      `     if part${at} {`,
      '         return nil',
      '     }',
      '     ```',
    ].join('\n');
  });
  return ['Analysis:', '1. **Initial Problem**: nothing worked.', '', 'Summary:', ...sections].join('\n');
}

const linesOf = (text: string) => text.split('\n').filter((line) => line.trim());
const FORGETFUL = scripted(() => ({ summary: emptySummary('They looked at the parts.') }));

/** Talks on behind Claude Code's own compaction and shortens five times; the summary after each. */
async function shortened(
  summary: string,
  { style, forgets = false }: { style: SummaryStyle; forgets?: boolean },
): Promise<{ summaries: string[]; text: string }> {
  const file = claude.createFile();
  file.prompt('Begin.');
  file.reply('r', { type: 'text', text: 'I begin.' });
  file.add('system', { subtype: 'compact_boundary', content: 'Conversation compacted' }, { parent: null });
  file.add('user', {
    isCompactSummary: true,
    message: {
      role: 'user',
      content: `This session is being continued from a previous conversation that ran out of context.\n${summary}`,
    },
  });
  using place = createFolder('');
  const summaries: string[] = [];
  let written = 0;
  for (let round = 0; round < 5; round++) {
    for (let turn = 0; turn < 8; turn++) {
      file.prompt(`How is module ${round}.${turn} doing?`);
      const report = `Module ${round}.${turn} is done, its tests pass. ${'I read every line of it. '.repeat(12)}`;
      file.reply(`r${round}.${turn}`, { type: 'text', text: report });
    }
    const text = file.text();
    appendFileSync(place.file, text.slice(written));
    written = text.length;
    const done = await compactFile(place.file, {
      ...{ maxLines: 5, keepTurns: 2, style },
      archive: place.archive,
      ...(forgets && { summariser: FORGETFUL }),
    });
    expect([done.outcome, done.by?.kind]).toEqual(['shortened', forgets ? 'model' : 'digest']);
    summaries.push(done.summary!);
  }
  return { summaries, text: place.read() };
}

describe("a summary by another program's model", () => {
  it.each([
    { style: 'own' },
    { style: 'pair' },
    { style: 'own', forgets: true },
    { style: 'pair', forgets: true },
  ] as const)(
    'is in the file line by line, byte for byte, after each of five shortenings: %o',
    async (how) => {
      const given = summaryOf(12);
      const { summaries } = await shortened(given, how);
      for (const [at, summary] of summaries.entries()) {
        const lines = summary.split('\n');
        expect([at, linesOf(given).filter((line) => !lines.includes(line))]).toEqual([at, []]);
        expect([at, summary.split(linesOf(given)[2]!).length - 1]).toEqual([at, 1]);
      }
    },
  );

  it('gives up code and lists of files where it is longer than its room, and comes to a rest', async () => {
    const given = summaryOf(32);
    expect(countText(given)).toBeGreaterThan(6_300);
    const { summaries } = await shortened(given, { style: 'own' });
    const left = summaries.map((summary) => {
      const lines = new Set(summary.split('\n'));
      return linesOf(given).filter((line) => lines.has(line));
    });
    const kept = countText(left[0]!.join('\n'));
    expect(kept).toBeGreaterThan(5_500);
    expect(kept).toBeLessThanOrEqual(6_000);
    expect(left[0]!.filter((line) => line.includes('`src/m0/'))).toHaveLength(32);
    expect(left[0]!.filter((line) => line.includes('`src/m1/')).length).toBeLessThan(32);
    expect(left[0]!.filter((line) => line.includes('return nil'))).toEqual([]);
    for (const later of left) expect(later).toEqual(left[0]);
  });

  it('fills the checkpoint of the session that a shortened file is imported as', async () => {
    const { text } = await shortened(summaryOf(12), { style: 'own' });
    const store = createMemoryStore();
    const [report] = await importSource(store, textSource(Buffer.from(text)), {
      format: formatNamed('claude-code'),
      file: 'one.jsonl',
    });
    const checkpoint = await readCheckpoint(store, (await store.session(report!.id))!);
    expect(checkpoint.decisions.filter(({ text }) => text.includes('`src/m2/'))).toHaveLength(12);
    expect(checkpoint.pending.filter(({ text }) => text.includes('`src/m4/'))).toHaveLength(12);
  });
});
