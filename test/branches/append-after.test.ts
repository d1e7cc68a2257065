import { describe, expect, it } from 'vitest';
import { appendAfter } from '../../src/branches/index.ts';
import { newEntryId } from '../../src/record/index.ts';
import { createSession, openSession, tagSession } from '../../src/session/index.ts';
import { crashAfter, user } from '../../src/testing/index.ts';
import { type Bench, STORES, said } from '../session/stores.ts';

/** A session that says `one two`, and a writer who has seen that much while somebody else said `three`. */
async function overtaken(bench: Bench) {
  const session = await createSession(bench.store, { id: 's' }, { now: bench.clock.now });
  await session.append([user('one'), user('two')]);
  await session.close();
  const late = await openSession(bench.store, 's', { mode: 'join', now: bench.clock.now });
  await bench.store.append('s', [{ body: user('three') }]);
  return late;
}

const talk = async ({ store }: Bench, id: string) => said(await store.read(id, { only: 'messages' }));

describe.each(STORES)('appending after an entry in a $kind store', ({ open }) => {
  it('is an append when the head has not moved', async () => {
    await using bench = await open();
    await using session = await createSession(bench.store, { id: 's' });
    const landed = await appendAfter(session, [user('one')], { onHeadMoved: 'fork' });
    expect(landed).toMatchObject({ outcome: 'appended', session: { id: 's', head: 1 }, newcomers: [] });
  });

  it('is refused when the head has moved, without another choice', async () => {
    await using bench = await open();
    const late = await overtaken(bench);
    await expect(appendAfter(late, [user('mine')])).rejects.toMatchObject({ code: 'head-moved' });
    expect(await talk(bench, 's')).toEqual(['one', 'two', 'three']);
  });

  it('rebases: behind the newcomers, under the same ids, and says who they are', async () => {
    await using bench = await open();
    const late = await overtaken(bench);
    const id = newEntryId();
    const landed = await appendAfter(late, [{ id, body: user('mine') }], { onHeadMoved: 'rebase' });
    expect(landed.outcome).toBe('rebased');
    expect([landed.entries.map((entry) => entry.id), said(landed.newcomers)]).toEqual([[id], ['three']]);
    expect(await talk(bench, 's')).toEqual(['one', 'two', 'three', 'mine']);
    expect(late.info.head).toBe(4);
  });

  it('forks: from the entry it expected, under the same ids, and leaves the newcomers alone', async () => {
    await using bench = await open();
    const late = await overtaken(bench);
    const id = newEntryId();
    const landed = await appendAfter(late, [{ id, body: user('mine') }], {
      onHeadMoved: 'fork',
      now: bench.clock.now,
    });
    expect(landed).toMatchObject({
      outcome: 'forked',
      session: { parent: { session: 's', relation: 'fork', seq: 2 } },
      entries: [{ id, seq: 3 }],
    });
    expect(said(landed.newcomers)).toEqual(['three']);
    expect(await talk(bench, 's')).toEqual(['one', 'two', 'three']);
    expect(await talk(bench, landed.session.id)).toEqual(['one', 'two', 'mine']);
  });

  it('does not take a tag by another process for another branch', async () => {
    await using bench = await open();
    await (await createSession(bench.store, { id: 's' })).close();
    const session = await openSession(bench.store, 's', { mode: 'join' });
    await tagSession(bench.store, 's', 'urgent');
    for (const onHeadMoved of ['fork', 'rebase', 'refuse'] as const) {
      await tagSession(bench.store, 's', onHeadMoved);
      const landed = await appendAfter(session, [user(onHeadMoved)], { onHeadMoved });
      expect(landed).toMatchObject({ outcome: 'appended', session: { id: 's' }, newcomers: [] });
    }
  });

  it('forks from a session that another process has taken over', async () => {
    await using bench = await open();
    const mine = await createSession(bench.store, { id: 's' }, { leaseTtlMs: 1000 });
    await mine.append([user('one')]);
    bench.clock.advance(10_000);
    await using other = await openSession(bench.store, 's');
    await other.append([user('theirs')]);
    await expect(appendAfter(mine, [user('mine')], { onHeadMoved: 'rebase' })).rejects.toMatchObject({
      code: 'lease-lost',
    });
    const landed = await appendAfter(mine, [user('mine')], { onHeadMoved: 'fork' });
    expect(landed.outcome).toBe('forked');
    expect(await talk(bench, landed.session.id)).toEqual(['one', 'mine']);
    expect(await talk(bench, 's')).toEqual(['one', 'theirs']);
    await mine.close().catch(() => {});
  });

  it('goes on however often it is overtaken', async () => {
    await using bench = await open();
    await bench.store.create({ id: 's' });
    const sessions = await Promise.all(
      Array.from({ length: 6 }, () => openSession(bench.store, 's', { mode: 'join' })),
    );
    const landed = await Promise.all(
      sessions.map((session, n) =>
        appendAfter(session, [user(`${n} a`), user(`${n} b`)], { expectedHead: 0, onHeadMoved: 'rebase' }),
      ),
    );
    expect(landed.filter(({ outcome }) => outcome === 'appended')).toHaveLength(1);
    const all = await talk(bench, 's');
    expect(all).toHaveLength(12);
    // What was written together stays together.
    for (let n = 0; n < 6; n++) expect(all[all.indexOf(`${n} a`) + 1]).toBe(`${n} b`);
  });

  it.each(['rebase', 'fork'] as const)(
    'tried again after a crash at any write, has written everything once (%s)',
    async (onHeadMoved) => {
      for (let writes = 0; writes < 4; writes++) {
        await using bench = await open();
        await overtaken(bench);
        const entries = [
          { id: newEntryId(), body: user('mine') },
          { id: newEntryId(), body: user('more') },
        ];
        const options = { expectedHead: 2, onHeadMoved, now: bench.clock.now };
        const dying = await openSession(crashAfter(bench.store, writes), 's', { mode: 'join' });
        await appendAfter(dying, entries, options).catch(() => {});
        const session = await openSession(bench.store, 's', { mode: 'join' });
        const landed = await appendAfter(session, entries, options);
        expect(landed.outcome).toBe(onHeadMoved === 'fork' ? 'forked' : 'rebased');
        expect(await talk(bench, landed.session.id)).toEqual(
          onHeadMoved === 'fork' ? ['one', 'two', 'mine', 'more'] : ['one', 'two', 'three', 'mine', 'more'],
        );
        const { sessions } = await bench.store.list({ limit: 9 });
        expect(sessions).toHaveLength(onHeadMoved === 'fork' ? 2 : 1);
      }
    },
  );
});
