import { describe, expect, it } from 'vitest';
import { compactSession, listCompactions, PRESETS, previewCompaction } from '../../src/compaction/index.ts';
import type { Entry } from '../../src/record/index.ts';
import {
  collapseCompactions,
  createSession,
  expandCompactions,
  readConversation,
  type Session,
} from '../../src/session/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { assistant, toolCall, toolResult, user } from '../../src/testing/index.ts';
import { scripted } from './scripted-summariser.ts';

const settings = { ...PRESETS.window, keep: { messages: 4 } };
const long = (text: string) =>
  `${text} ${'because the store keeps every entry in order and a reader finds it again. '.repeat(6)}`;

async function talk(session: Session, turns: number, from = 0): Promise<void> {
  for (let n = from; n < from + turns; n++) {
    await session.append([
      user(long(`Please change src/file-${n}.ts`)),
      toolCall('edit', { path: `src/file-${n}.ts` }, { id: `call-${n}` }),
      toolResult('edit', long(`edited src/file-${n}.ts`), { id: `call-${n}` }),
      assistant(long(`Changed src/file-${n}.ts as decision number ${n}.`)),
    ]);
  }
}

async function withTalk(turns: number): Promise<{ store: Store; session: Session }> {
  const store = createMemoryStore();
  const session = await createSession(store, { id: 's' });
  await talk(session, turns);
  return { store, session };
}

const frontierOf = async ({ store, info }: Session) => (await readConversation(store, info)).frontier;
const messagesOf = (log: readonly Entry[]) => log.filter(({ body }) => body.kind === 'message');

describe('a compaction', () => {
  it.each<[object, string]>([
    [{ setings: {} }, 'Did you mean "settings"?'],
    [{ settings: 'balance' }, 'There is no preset "balance"'],
    [{ settings: 5 }, '"settings"'],
    [{ range: 5 }, '"range"'],
  ])('is not made with %j', async (options, message) => {
    const { session } = await withTalk(8);
    const refused = { code: 'usage', message: expect.stringContaining(message) };
    await expect(compactSession(session, options)).rejects.toMatchObject(refused);
    await expect(previewCompaction(session, options)).rejects.toMatchObject(refused);
  });

  it('adds one entry, changes none, and says what it saved', async () => {
    const { session } = await withTalk(6);
    const before = await session.read();
    const result = await compactSession(session, { settings });
    expect(result).toMatchObject({ messagesCompacted: 20, by: { kind: 'digest' }, failures: [] });
    expect(result.compressedTokenCount).toBeLessThan(result.originalTokenCount * 0.5);
    const after = await session.read();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.slice(before.length).map(({ body }) => body.kind)).toEqual(['compaction']);
  });

  it('puts the summary where what it covers was said, before the messages that came after', async () => {
    const { session } = await withTalk(6);
    await compactSession(session, { settings });
    await talk(session, 1, 6);
    const frontier = await frontierOf(session);
    expect(frontier[0]!.body.kind).toBe('compaction');
    expect(frontier.slice(1).map(({ seq }) => seq)).toEqual([21, 22, 23, 24, 26, 27, 28, 29]);
  });

  it('expanded gives the context that was there before, and collapsed the summary again', async () => {
    const { session } = await withTalk(6);
    const before = await frontierOf(session);
    const { compactionId } = await compactSession(session, { settings });
    const compacted = await frontierOf(session);
    await expandCompactions(session, { entry: compactionId });
    expect(JSON.stringify(await frontierOf(session))).toBe(JSON.stringify(before));
    await collapseCompactions(session, { entry: compactionId });
    expect(await frontierOf(session)).toEqual(compacted);
  });

  it('is previewed in numbers without changing anything', async () => {
    const { session } = await withTalk(6);
    const before = await session.read();
    const preview = await previewCompaction(session, { settings });
    expect(preview).toMatchObject({
      covers: { from: 1, to: 20 },
      summarised: { messages: 20 },
      kept: { messages: 4 },
    });
    expect(await session.read()).toEqual(before);
    const result = await compactSession(session, { settings });
    expect(result.originalTokenCount).toBe(preview.summarised.tokens);
  });

  it('keeps a message that arrives while the summary is being made, after it', async () => {
    const { session } = await withTalk(6);
    const summariser = scripted(async () => {
      await session.append([user('by the way')]);
      return {};
    });
    await compactSession(session, { settings, summariser });
    const frontier = await frontierOf(session);
    expect(frontier.at(-1)!.body).toEqual(user('by the way'));
    expect(frontier[0]!.body.kind).toBe('compaction');
  });

  it('hands the summary before it to the next one', async () => {
    const { session } = await withTalk(6);
    await compactSession(session, { settings });
    await talk(session, 6, 6);
    const summariser = scripted(() => ({}));
    await compactSession(session, { settings, summariser, instructions: 'mind the tests' });
    expect(summariser.requests[0]!.before?.overview).toBeTruthy();
    expect(summariser.requests[0]!.instructions).toBe('mind the tests');
  });

  it('is refused when another process has compacted the same range', async () => {
    const { session } = await withTalk(8);
    const summariser = scripted(async () => {
      await compactSession(session, { settings });
      return {};
    });
    await expect(compactSession(session, { settings, summariser })).rejects.toMatchObject({
      code: 'compaction-stale',
    });
    expect(await listCompactions(session.store, session.info)).toHaveLength(1);
  });
});

describe('tiers', () => {
  it('summarise a message a handful of times over 300 compactions, and keep the torso short', async () => {
    const { session } = await withTalk(1);
    const times = new Map<string, number>();
    const seen = new Map<string, string[]>();
    const summariser = scripted(({ entries }) => {
      const covered = entries.flatMap(({ id, body }) =>
        body.kind === 'compaction' ? (seen.get(id) ?? []) : [id],
      );
      for (const id of covered) times.set(id, (times.get(id) ?? 0) + 1);
      return {};
    });
    for (let n = 1; n <= 300; n++) {
      await talk(session, 1, n);
      await compactSession(session, { settings, summariser });
      for (const { id, body } of await session.read({ only: 'notes' })) {
        if (body.kind !== 'compaction' || seen.has(id)) continue;
        const inside = await session.read({
          after: body.covers.from - 1,
          upTo: body.covers.to,
          only: 'messages',
        });
        seen.set(
          id,
          inside.map((entry) => entry.id),
        );
      }
    }
    const frontier = await frontierOf(session);
    expect(Math.max(...times.values())).toBeLessThanOrEqual(6);
    expect(frontier.filter(({ body }) => body.kind === 'compaction').length).toBeLessThan(16);
    expect(messagesOf(await session.read())).toHaveLength(301 * 4);
  }, 120_000);
});
