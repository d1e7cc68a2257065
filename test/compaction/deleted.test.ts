import { describe, expect, it } from 'vitest';
import { compactSession } from '../../src/compaction/index.ts';
import { PRESETS } from '../../src/compaction/read-policy.ts';
import {
  collapseCompactions,
  createSession,
  expandCompactions,
  markEntries,
  readFrontier,
  type Session,
} from '../../src/session/index.ts';
import { createMemoryStore } from '../../src/store/index.ts';
import { assistant, compaction, user } from '../../src/testing/index.ts';

/** Ten turns; entries 5 to 8 and 9 to 12 are summaries that a third one, of level 2, was made of. */
async function withTree() {
  const session = await createSession(createMemoryStore(), { id: 's' });
  for (let n = 0; n < 10; n++) await session.append([user(`question ${n}`), assistant(`answer ${n}`)]);
  const [low] = await session.append([compaction({ covers: { from: 5, to: 8 } })]);
  const [high] = await session.append([compaction({ covers: { from: 9, to: 12 } })]);
  const children = [low!.id, high!.id];
  const [top] = await session.append([compaction({ covers: { from: 5, to: 12 }, level: 2, children })]);
  return { session, low: low!.id, high: high!.id, top: top!.id };
}

/** What each entry of the frontier stands for. */
async function stands(session: Session): Promise<[number, number][]> {
  const frontier = await readFrontier(session.store, await session.refresh());
  return frontier.map(({ seq, body }) =>
    body.kind === 'compaction' ? [body.covers.from, body.covers.to] : [seq, seq],
  );
}

const remove = (session: Session, ...ids: string[]) =>
  markEntries(
    session,
    'removed',
    ids.map((entry) => ({ entry })),
  );
const plain = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => [from + n, from + n]);

describe('a deleted compaction of compactions', () => {
  it('bounds no cut: a later one may cover some of the summaries that it was made of', async () => {
    const { session, top } = await withTree();
    await remove(session, top);
    await compactSession(session, { range: { from: 1, to: 8 } });
    expect(await stands(session)).toEqual([[1, 8], [9, 12], ...plain(13, 20)]);
  });

  it('bounds no cut in the middle of it once its parts are deleted too', async () => {
    const { session, top, low, high } = await withTree();
    await remove(session, top, low, high);
    await compactSession(session, { range: { from: 1, to: 6 } });
    await compactSession(session, { range: { from: 11, to: 16 } });
    expect(await stands(session)).toEqual([[1, 6], ...plain(7, 10), [11, 16], ...plain(17, 20)]);
  });

  it('is compacted from the beginning again, by the messages to keep', async () => {
    const { session, top, low, high } = await withTree();
    await remove(session, top, low, high);
    await compactSession(session, { settings: { ...PRESETS.window, keep: { messages: 10 } } });
    expect(await stands(session)).toEqual([[1, 10], ...plain(11, 20)]);
  });

  it('leaves a part of it alone that was expanded: collapsed again, it stands for all that it covers', async () => {
    const { session, top, low } = await withTree();
    await remove(session, top);
    await expandCompactions(session, { entry: low });
    await expect(compactSession(session, { range: { from: 1, to: 6 } })).rejects.toMatchObject({
      code: 'nothing-to-compact',
    });
    await collapseCompactions(session, { entry: low });
    expect(await stands(session)).toEqual([...plain(1, 4), [5, 8], [9, 12], ...plain(13, 20)]);
  });
});
