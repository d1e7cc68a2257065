import { describe, expect, it } from 'vitest';
import { compactSession, PRESETS } from '../../src/compaction/index.ts';
import { draftClosingSummary, writeClosingSummary } from '../../src/operations/compaction/closing-summary.ts';
import { emptySummary } from '../../src/record/index.ts';
import { openSession, readFrontier, resumeSession, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { renderSummary } from '../../src/summary/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { formatNamed, importSource, textSource } from '../../src/transcripts/index.ts';
import * as pi from '../transcripts/formats/pi/records.ts';
import { scripted } from './scripted-summariser.ts';

const TOPICS = ['Constraints & Preferences', 'Key Decisions', 'Done', 'Next Steps', 'Critical Context'];
const LINES = TOPICS.flatMap((topic, at) =>
  Array.from({ length: 15 }, (_, n) => `module m${at}x${n} has its ${topic.toLowerCase()} in f${at}y${n}.ts`),
);
const SUMMARY = TOPICS.map(
  (topic, at) =>
    `## ${topic}\n${LINES.slice(at * 15, at * 15 + 15)
      .map((line) => `- ${line}`)
      .join('\n')}`,
).join('\n\n');

const settings = { ...PRESETS.balanced, keep: { messages: 2 } };
const words = 'I looked at every line of it and at what stands around it. '.repeat(20);

async function imported(): Promise<Session> {
  const file = pi.createFile({ version: 3 });
  file.user('Begin.');
  file.assistant([pi.text('I begin.')]);
  const kept = file.user('Go on with the parser.');
  file.assistant([pi.text('It goes on.')]);
  file.add('compaction', { summary: SUMMARY, firstKeptEntryId: kept, tokensBefore: 9_000 });
  const store = createMemoryStore();
  const [report] = await importSource(store, textSource(Buffer.from(file.text())), {
    format: formatNamed('pi'),
    file: 'one.jsonl',
  });
  return openSession(store, report!.id);
}

async function talk(session: Session, round: number): Promise<void> {
  for (let turn = 0; turn < 6; turn++)
    await session.append([
      user(`How is part ${round}.${turn}?`),
      assistant(`Part ${turn} is done. ${words}`),
    ]);
}

async function missing(session: Session): Promise<string[]> {
  const frontier = await readFrontier(session.store, await session.refresh());
  const text = frontier
    .flatMap(({ body }) => (body.kind === 'compaction' ? [renderSummary(body.summary)] : []))
    .join('\n');
  return LINES.filter((line) => !text.includes(line));
}

describe("a summary by another program's model", () => {
  it('stands word for word through the merges of the store', async () => {
    await using session = await imported();
    let merges = 0;
    for (let round = 0; round < 9; round++) {
      await talk(session, round);
      merges += (await compactSession(session, { settings })).merges;
      expect(await missing(session)).toEqual([]);
    }
    expect(merges).toBeGreaterThan(1);
  });

  it('is carried line by line, in separate room, by a summary that takes its place', async () => {
    await using session = await imported();
    await talk(session, 1);
    const range = { from: 1, to: session.info.head - 2 };
    const { by } = await compactSession(session, { settings, range });
    expect(by.kind).toBe('digest');
    const frontier = await readFrontier(session.store, await session.refresh());
    expect(frontier.filter(({ body }) => body.kind === 'compaction')).toHaveLength(1);
    expect(await missing(session)).toEqual([]);
  });

  it('is given to a model that writes the summary beside it, and is a source for its claims', async () => {
    await using session = await imported();
    await talk(session, 1);
    const summariser = scripted(() => ({
      summary: {
        ...emptySummary('The parts.'),
        facts: [{ text: 'It is all in f1y3.ts and f1x3.ts', from: [] }],
      },
    }));
    const range = { from: 1, to: session.info.head - 2 };
    const { by, summary } = await compactSession(session, { settings, range, summariser });
    expect(by.kind).toBe('model');
    expect(summariser.requests[0]!.foreign).toBe(SUMMARY);
    expect(summariser.requests[0]!.entries.every(({ body }) => body.kind === 'message')).toBe(true);
    expect(summary).toContain('- It is all in f1y3.ts and f1x3.ts (not in the conversation: f1x3.ts)');
    expect(await missing(session)).toEqual([]);
  });

  it('is in the closing summary, and in that of every session that is resumed from it', async () => {
    await using first = await imported();
    await talk(first, 1);
    const { store } = first;
    let session = first;
    for (let link = 0; link < 3; link++) {
      const draft = await draftClosingSummary(store, await session.refresh());
      expect(draft!.summary.foreign).toBe(SUMMARY);
      await writeClosingSummary(session, draft!);
      session = await resumeSession(store, await session.refresh());
      expect((await readFrontier(store, await session.refresh()))[0]!.body).toMatchObject({
        kind: 'restoration',
        summary: { foreign: SUMMARY },
      });
      await talk(session, link + 2);
    }
  });
});
