import { describe, expect, it } from 'vitest';
import { CLOSING_SUMMARY, type EntryBody, emptySummary, type Summary } from '../../../../src/record/index.ts';
import { createSession } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import { assistant, compaction, user } from '../../../../src/testing/index.ts';
import { parseMarkdown } from '../../../../src/transcripts/formats/markdown/parse.ts';
import { readMarkdown } from '../../../../src/transcripts/formats/markdown/read.ts';
import { writeMarkdown } from '../../../../src/transcripts/formats/markdown/write.ts';
import { exportText, importText } from '../../transfer.ts';

async function read(text: string) {
  const store = createMemoryStore();
  const [report] = await importText(store, readMarkdown, text, { format: 'markdown' });
  return { store, report: report! };
}

describe('a transcript of a session with a closing summary', () => {
  const summary: Summary = {
    ...emptySummary('Rounding'),
    background: 'Prices were rounded before.',
    topics: [{ text: 'Rounding', from: [] }],
    decisions: [{ text: 'Round half to even <!-- SESSION_SUMMARY_END -->', from: [] }],
    pending: [{ text: 'Test', from: [] }],
  };
  const left = {
    kind: 'document' as const,
    id: CLOSING_SUMMARY,
    title: 'Session summary',
    content: { summary, upTo: 3 },
  };
  const covering = compaction({ covers: { from: 1, to: 2 }, summary: emptySummary('Shortened') });

  async function textOf(...bodies: EntryBody[]): Promise<string> {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 'sally_1', agent: 'Sally' });
    await session.append([user('Where?'), assistant('In cart.ts.'), ...bodies]);
    return exportText(store, session.id, writeMarkdown);
  }

  it('ends with the block, as the program that it comes from wrote it', async () => {
    const text = await textOf(left);
    expect(text.slice(text.lastIndexOf('---'))).toBe(`---

<!-- SESSION_SUMMARY_START -->
**Background Context:** Prices were rounded before.

**Current Session Summary:**
**Topics Discussed:**
- Rounding

**Decisions Made:**
- Round half to even &lt;!-- SESSION_SUMMARY_END -->

**Pending:**
- Test
<!-- SESSION_SUMMARY_END -->
`);
    expect(parseMarkdown(text).summary).toEqual(summary);
  });

  it.each([
    ['alone', [left], 'Rounding'],
    ['after it was shortened', [covering, left], 'Rounding'],
    ['before it was shortened', [left, covering], 'Rounding'],
    ['twice', [left, { ...left, content: { summary: emptySummary('Newer') } }], 'Newer'],
    ['and only shortened since', [left, user('More'), assistant('Yes.'), covering], 'Shortened'],
    ['and went on in', [left, user('More'), assistant('Yes.')], undefined],
  ])('%s, is read back as it was', async (_, bodies, topic) => {
    const text = await textOf(...bodies);
    expect(parseMarkdown(text).summary?.topics[0]?.text).toBe(topic);
    const { store, report } = await read(text);
    expect(report).toMatchObject({ unknownKept: 0, damage: 0 });
    expect(await exportText(store, report.id, writeMarkdown)).toBe(text);
  });

  it('keeps a summary that a file has in the middle', async () => {
    const text = await textOf(left);
    const longer = `${text}\n## Query 2 (10:00:00)\n**You:** More\n\n**Sally:** Yes.\n\n---\n\n`;
    const { store, report } = await read(longer);
    const again = await exportText(store, report.id, writeMarkdown);
    expect(again).toBe(longer.replace('Queries:** 1', 'Queries:** 2'));
    expect(parseMarkdown(again).queries).toHaveLength(2);
  });
});
