import { describe, expect, it } from 'vitest';
import { compactSession, listCompactions, PRESETS, previewCompaction } from '../../src/compaction/index.ts';
import { createSession, excludeEntries, expandCompactions, type Session } from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { scripted } from './scripted-summariser.ts';

const settings = { ...PRESETS.window, keep: { messages: 2 } };
const words = 'it happens while streaming, and the parser then loses the rest of the line. '.repeat(3);

async function talk(session: Session): Promise<void> {
  for (let n = 0; n < 4; n++)
    await session.append([user(`Ask ${n} ${words}`), assistant(`Say ${n} ${words}`)]);
}

/** So many compactions, and enough said for one more. */
async function compacted(times: number): Promise<Session> {
  const session = await createSession(createMemoryStore(), { id: 's' });
  for (let n = 0; n < times; n++) {
    await talk(session);
    await compactSession(session, { settings });
  }
  await talk(session);
  return session;
}

const isMerge = (entries: readonly { body: { kind: string } }[]) =>
  entries.every(({ body }) => body.kind === 'compaction');

describe('a merge that follows a compaction', () => {
  it('that is cancelled leaves the compaction, and says so', async () => {
    const session = await compacted(3);
    const stop = new AbortController();
    const summariser = scripted(({ entries }) => {
      if (!isMerge(entries)) return {};
      stop.abort();
      return new Promise<never>(() => {});
    });
    const result = await compactSession(session, { settings, summariser, signal: stop.signal });
    expect(result).toMatchObject({ merges: 0, unfinished: 'it was cancelled', by: { kind: 'model' } });
    const all = await listCompactions(session.store, await session.refresh());
    expect(all.map(({ level, status }) => [level, status])).toEqual(Array(4).fill([1, 'collapsed']));
    await talk(session);
    expect(await compactSession(session, { settings })).toMatchObject({ merges: 1 });
  });

  it('is not begun, nor is anything else, when it is cancelled before', async () => {
    const session = await compacted(3);
    const before = await session.read();
    const stop = new AbortController();
    const summariser = scripted(() => {
      stop.abort();
      return {};
    });
    const made = compactSession(session, { settings, summariser, signal: stop.signal });
    await expect(made).rejects.toMatchObject({ code: 'cancelled' });
    expect(await session.read()).toEqual(before);
  });

  it('whose summaries have new marks is left for later', async () => {
    const session = await compacted(3);
    const summariser = scripted(async ({ entries }) => {
      if (isMerge(entries)) await excludeEntries(session, { from: 1, to: 1 });
      return {};
    });
    const result = await compactSession(session, { settings, summariser });
    expect(result.unfinished).toMatch(/has changed since the summary was begun/);
    expect(result.merges).toBe(0);
  });

  it('the cost of an unused summary is in the log', async () => {
    const session = await compacted(3);
    const usage = { inputTokens: 70, outputTokens: 7 };
    const summariser = scripted(async ({ entries }) => {
      if (isMerge(entries)) await excludeEntries(session, { from: 1, to: 1 });
      return { usage };
    });
    await compactSession(session, { settings, summariser });
    const unused = (await session.read({ only: 'notes' })).flatMap(({ body }) =>
      body.kind === 'document' ? [body.meta] : [],
    );
    expect(unused).toMatchObject([{ usage, model: 'scripted:model' }]);
  });

  it.each([0, 1, 2, 3, 4, 6, 7, 15])('is foretold, after %i compactions', async (times) => {
    const session = await compacted(times);
    const { merges } = await previewCompaction(session, { settings });
    const result = await compactSession(session, { settings });
    expect(result.merges).toBe(merges);
    expect(merges).toBe(times === 15 ? 2 : times % 4 === 3 ? 1 : 0);
  });

  it('is not foretold by a preview of the merge', async () => {
    const session = await compacted(3);
    const [first] = await listCompactions(session.store, session.info);
    await expandCompactions(session, { entry: first!.id });
    const { merges } = await previewCompaction(session, { settings });
    expect([merges, (await compactSession(session, { settings })).merges]).toEqual([0, 0]);
  });
});
