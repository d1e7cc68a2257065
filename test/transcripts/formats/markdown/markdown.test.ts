import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closingSummaryIn, emptySummary } from '../../../../src/record/index.ts';
import { createSession, readFrontier } from '../../../../src/session/index.ts';
import { createMemoryStore } from '../../../../src/store/index.ts';
import {
  assistant,
  compaction,
  restoration,
  toolCall,
  toolResult,
  user,
} from '../../../../src/testing/index.ts';
import { outgoing } from '../../../../src/transcripts/export/read-family.ts';
import { parseMarkdown } from '../../../../src/transcripts/formats/markdown/parse.ts';
import { readMarkdown } from '../../../../src/transcripts/formats/markdown/read.ts';
import { renderMarkdown } from '../../../../src/transcripts/formats/markdown/render.ts';
import { sessionToMarkdown, writeMarkdown } from '../../../../src/transcripts/formats/markdown/write.ts';
import { transcriptContract } from '../../contract.ts';
import { exportText, importText, logOfSession, sessionsOf } from '../../transfer.ts';

const PLAIN = `# Simple Sally Conversation

**Session ID:** session_3
**Date:** 2025-12-30T14:30:22.123456
**Agent:** Simple Sally
**Agent Path:** /home/wes/agents/simple_sally/agent.py
**Total Queries:** 2

---

## Session Restored (14:30:22)
**Context:** Resumed from session_2 (5 queries, 2.3K tokens)
**Previous Session:** /home/wes/conversations/session_2.md

**Simple Sally:** I have read what we said about tokens.
Ready to go on!

*Time: 2.1s | Tokens: 156 (in: 89, out: 67)*

---

## Query 1 (14:30:45)
**You:** Let us build the rate limiter

**Simple Sally:** With a bucket?

---

Or with a window?

*Time: 3.2s | Tokens: 3,450 (in: 3,123, out: 327)*

---

## Query 2 (00:01:02)
**You:** A bucket.


**Simple Sally:** Done.

*Time: 1.0s | Tokens: 10 (in: 5, out: 5)*

---

<!-- SESSION_SUMMARY_START -->
**Background Context:** We spoke about tokens before.

**Current Session Summary:**
**Topics Discussed:**
- Rate limiting

**Decisions Made:**
- A bucket

**Pending:**
- Tests
<!-- SESSION_SUMMARY_END -->
`;

/** As the program that this format comes from writes it: blank lines in the header, no summary. */
const SPACED = `# Simple Sally Conversation

**Session ID:** simple_sally_20260105_155557

**Date:** 2026-01-05T15:56:03.320187

**Agent:** Simple Sally

**Total Queries:** 1

---

## Query 1 (15:56:03)
**You:** # Explain

Focus on:
- one


**Simple Sally:** Hello!

*Time: 3.9s | Tokens: 3,130 (in: 3,041, out: 89)*

---

## Notes
Nothing to add.
`;

transcriptContract({
  format: 'markdown',
  reader: readMarkdown,
  writer: writeMarkdown,
  lines: false,
  samples: { plain: PLAIN, spaced: SPACED },
});

async function read(text: string) {
  const store = createMemoryStore();
  const [report] = await importText(store, readMarkdown, text, { format: 'markdown' });
  return { store, report: report!, log: await logOfSession(store, report!.id) };
}

describe('a markdown transcript', () => {
  it('is read field by field', () => {
    const document = parseMarkdown(PLAIN);
    expect(document.header).toMatchObject({ sessionId: 'session_3', agent: 'Simple Sally', totalQueries: 2 });
    expect(document.restored).toMatchObject({
      from: 'session_2',
      queries: 5,
      tokens: 2300,
      time: '14:30:22',
    });
    expect(document.queries.map(({ question, answer }) => [question, answer])).toEqual([
      ['Let us build the rate limiter', 'With a bucket?\n\n---\n\nOr with a window?'],
      ['A bucket.\n', 'Done.'],
    ]);
    expect(document.queries[0]?.stats).toEqual({ seconds: 3.2, inputTokens: 3123, outputTokens: 327 });
    expect(document.summary?.decisions.map(({ text }) => text)).toEqual(['A bucket']);
  });

  it('becomes a session that was resumed and closed with a summary', async () => {
    const { store, report, log } = await read(PLAIN);
    expect(report).toMatchObject({ id: 'session_3', messages: 4, compactions: 0, unknownKept: 0, damage: 0 });
    const [session] = await sessionsOf(store);
    expect(session).toMatchObject({
      totals: { queries: 2 },
      usage: { inputTokens: 3217, outputTokens: 399 },
    });
    expect(session?.state.settings).toMatchObject({ agent: 'Simple Sally' });
    const frontier = await readFrontier(store, session!);
    // Leaving shortened nothing: whoever goes on with it sees every word.
    expect(frontier.map(({ body }) => body.kind)).toEqual(['restoration', ...Array(4).fill('message')]);
    expect(log.flatMap(({ body }) => closingSummaryIn(body)?.summary.decisions ?? [])).toEqual([
      { text: 'A bucket', from: [] },
    ]);
    const times = log.flatMap(({ body, at }) =>
      body.kind === 'message' && body.role === 'user' ? [at] : [],
    );
    expect(times[1]! - times[0]!).toBe(((24 - 14) * 60 - 30 + 1) * 60_000 - 45_000 + 2_000);
  });

  it('is written again to the letter, but for marks in messages', async () => {
    const { store, report } = await read(PLAIN);
    const marked = PLAIN.replace('?\n\n---\n\nOr', '?\n\n\\---\n\nOr');
    expect(await exportText(store, report.id, writeMarkdown)).toBe(marked);
  });

  it('keeps what it does not know', async () => {
    const { store, report } = await read(SPACED);
    expect(report).toMatchObject({ messages: 2, unknownKept: 1 });
    expect(await exportText(store, report.id, writeMarkdown)).toContain('## Notes\nNothing to add.');
  });

  it('grows with the conversation', async () => {
    const store = createMemoryStore();
    const sections = PLAIN.split('\n---\n\n## ');
    const upTo = (count: number) => `${sections.slice(0, count).join('\n---\n\n## ')}\n---\n`;
    for (const count of [2, 3, 4]) await importText(store, readMarkdown, upTo(count), { format: 'markdown' });
    const [again] = await importText(store, readMarkdown, PLAIN, { format: 'markdown' });
    expect(again).toMatchObject({ branches: 0 });
    expect((await sessionsOf(store)).map(({ totals }) => totals.messages)).toEqual([4]);
  });

  const words = fc.array(
    fc.constantFrom(
      ...[
        '---',
        '**You:** hi',
        '**Sally:** ho',
        '*Time: 1.0s*',
        '## Query 2 (10:00:00)',
        '## Session Restored (1)',
      ],
      ...[
        '<!-- SESSION_SUMMARY_START -->',
        '<!-- SESSION_SUMMARY_END -->',
        '\\---',
        '\\\\**You:**',
        '',
        'text',
        '\r',
      ],
      ...['*Time: 3.2s | Tokens: 345 (in: 123, out: 222)*', '# Sally Conversation', ' ---', '\ud800', '\0'],
    ),
    { maxLength: 6 },
  );

  it('gives back any text, also one that quotes the marks', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(words, words), { maxLength: 4 }), words, (turns, first) => {
        const document = {
          header: { agent: 'Sally', sessionId: 's', totalQueries: turns.length },
          restored: { answer: first.join('\n'), from: 'r', time: '10:00:00' },
          queries: turns.map(([question, answer], index) => ({
            number: index + 1,
            time: '10:00:00',
            question: question.join('\n'),
            answer: answer.join('\n'),
            stats: { seconds: 1, inputTokens: 1000, outputTokens: 2 },
          })),
        };
        expect(parseMarkdown(renderMarkdown(document))).toEqual(document);
      }),
      { numRuns: 300 },
    );
  });

  it('mirrors a session of ours', async () => {
    const store = createMemoryStore();
    await using session = await createSession(store, { id: 'sally_1', agent: 'Simple Sally' });
    await session.append([
      restoration('sally_0', 'Prices were rounded.'),
      user('Where?'),
      toolCall('grep', { pattern: 'round' }),
      toolResult('grep', 'cart.ts'),
      assistant('In cart.ts.', { usage: { inputTokens: 10, outputTokens: 5 }, durationMs: 1500 }),
      compaction({
        covers: { from: 1, to: 6 },
        summary: { ...emptySummary('Rounding'), pending: [{ text: 'Test', from: [] }] },
      }),
    ]);
    const text = await sessionToMarkdown(outgoing(store, session.info));
    expect(text.replace(/\d\d:\d\d:\d\d/g, 'HH:MM:SS')).toContain(
      '## Query 1 (HH:MM:SS)\n**You:** Where?\n\n**Simple Sally:** In cart.ts.\n\n*Time: 1.5s | Tokens: 15 (in: 10, out: 5)*\n\n---\n',
    );
    expect(parseMarkdown(text)).toMatchObject({
      restored: { from: 'sally_0' },
      summary: { pending: [{ text: 'Test' }] },
    });
    const tools = await sessionToMarkdown(outgoing(store, session.info), { tools: true });
    expect(tools).toContain('> **grep** {"pattern":"round"}\n\n> **grep:** cart.ts\n\nIn cart.ts.');
  });
});
