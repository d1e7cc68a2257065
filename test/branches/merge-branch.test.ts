import { describe, expect, it } from 'vitest';
import { mergeBranch, previewMerge, undoMerge } from '../../src/branches/index.ts';
import { readCheckpoint } from '../../src/compaction/index.ts';
import type { Merge } from '../../src/record/index.ts';
import { openSession } from '../../src/session/index.ts';
import { assistant, user } from '../../src/testing/index.ts';
import { type Bench, STORES } from '../session/stores.ts';
import { contextOf } from '../support/context-of.ts';
import { compact, EVICTION, FILES, fork, infoOf, MAP, open, say, twoPlans } from './plans.ts';

async function merge(
  bench: Bench,
  branch: string,
  into: string,
  options: Parameters<typeof mergeBranch>[2] = {},
) {
  await using session = await open(bench, into);
  return await mergeBranch(session, await infoOf(bench, branch), options);
}

const texts = (lines: readonly { text: string }[]) => lines.map(({ text }) => text);
const checkpointOf = async (bench: Bench, id: string) => readCheckpoint(bench.store, await infoOf(bench, id));
const seenBy = async (bench: Bench, id: string) =>
  JSON.stringify(
    (await contextOf(bench.store, await infoOf(bench, id), { budget: { window: 16_000 } })).messages,
  );

describe.each(STORES)('merging a branch in a $kind store', ({ open: openBench }) => {
  it('previews lines, conflicts and their sources, and writes nothing', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const before = await infoOf(bench, 'main');
    const preview = await previewMerge(bench.store, before, await infoOf(bench, 'disk'));
    expect(preview).toMatchObject({
      ours: { id: 'main', title: 'Cache' },
      theirs: { id: 'disk' },
      since: { session: 'main', seq: 4, by: 'parting' },
      nothing: false,
      open: [1],
    });
    expect(texts(preview.brings)).toContain(EVICTION);
    const [conflict] = preview.conflicts;
    expect(conflict).toMatchObject({ number: 1, about: 'choice', list: 'decisions', base: null });
    expect([conflict!.ours.text, conflict!.theirs.text]).toEqual([MAP, FILES]);
    expect(conflict!.ours.sources).toMatchObject([{ session: 'main', seq: 7 }]);
    expect(conflict!.theirs.sources).toMatchObject([{ session: 'disk', seq: 7 }]);
    expect(await infoOf(bench, 'main')).toEqual(before);
  });

  it('refuses while a conflict is open, and writes nothing', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const before = await bench.store.read('main');
    const refused = await merge(bench, 'disk', 'main').catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'merge-conflict',
      details: {
        into: 'main',
        branch: 'disk',
        open: [1],
        conflicts: [{ ours: { text: MAP }, theirs: { text: FILES } }],
      },
    });
    expect(await bench.store.read('main')).toEqual(before);
  });

  it.each([
    { rule: 'ours' as const, decided: [], went: [] },
    { rule: 'theirs' as const, decided: [FILES], went: [MAP] },
    { rule: 'both' as const, decided: [FILES], went: [] },
    { rule: 'newest' as const, decided: [FILES], went: [MAP] },
  ])('by the rule "$rule" brings $decided', async ({ rule, decided, went }) => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { entry } = await merge(bench, 'disk', 'main', { rule });
    const body = entry!.body as Merge;
    expect(body).toMatchObject({
      branch: 'disk',
      head: (await infoOf(bench, 'disk')).head,
      since: { session: 'main', seq: 4 },
    });
    expect(texts(body.summary.decisions)).toEqual(decided);
    expect(texts(body.dropped)).toEqual(went);
    expect(texts(body.left)).toEqual(rule === 'ours' ? [FILES] : []);
    expect(body.conflicts).toMatchObject([{ ours: MAP, theirs: FILES, by: rule }]);
    expect(texts((await checkpointOf(bench, 'main')).decisions)).toEqual(decided);
  });

  it('lets a person settle each conflict and leave lines out, and remembers both', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { brings } = await previewMerge(
      bench.store,
      await infoOf(bench, 'main'),
      await infoOf(bench, 'disk'),
    );
    const { number } = brings.find(({ text }) => text === EVICTION)!;
    const options = {
      rule: 'ours' as const,
      choices: new Map([[1, 'theirs' as const]]),
      leave: new Set([number]),
    };
    const { entry, left } = await merge(bench, 'disk', 'main', options);
    expect(texts(left)).toEqual([EVICTION]);
    const body = entry!.body as Merge;
    expect(body.conflicts).toMatchObject([{ kept: 'theirs', by: 'person' }]);
    expect(texts(body.left)).toEqual([EVICTION]);
    expect(texts((await checkpointOf(bench, 'main')).pending)).toEqual([]);
    const again = await previewMerge(bench.store, await infoOf(bench, 'main'), await infoOf(bench, 'disk'));
    expect(again.nothing).toBe(true);
  });

  it('shows the merged lines in the context and in the checkpoint, with their sources', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { entry } = await merge(bench, 'disk', 'main', { rule: 'theirs' });
    const seen = await seenBy(bench, 'main');
    expect(seen).toContain(`Record ${entry!.id} of the branch disk`);
    for (const line of [FILES, EVICTION, `No longer so: ${MAP}`]) expect(seen).toContain(line);
    const { decisions } = await checkpointOf(bench, 'main');
    const [said] = await bench.store.read('disk', { after: 6, upTo: 7 });
    expect(decisions).toEqual([{ text: FILES, from: [said!.id, entry!.id] }]);
  });

  it('only appends: one entry, and every older one is as it was', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const [main, disk] = [await bench.store.read('main'), await bench.store.read('disk')];
    await merge(bench, 'disk', 'main', { rule: 'both' });
    const after = await bench.store.read('main');
    expect(after.slice(0, -1)).toEqual(main);
    expect(after.at(-1)!.body.kind).toBe('merge');
    expect(await bench.store.read('disk')).toEqual(disk);
    expect((await bench.store.verify()).problems).toEqual([]);
    expect((await bench.store.rebuild()).changed).toEqual([]);
  });

  it('done again, writes nothing', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await merge(bench, 'disk', 'main', { rule: 'ours' });
    const { head } = await infoOf(bench, 'main');
    const again = await merge(bench, 'disk', 'main');
    expect([again.nothing, again.entry, again.since]).toEqual([
      true,
      undefined,
      expect.objectContaining({ by: 'merge' }),
    ]);
    expect((await infoOf(bench, 'main')).head).toBe(head);
  });

  it('later, brings only new lines, and asks about no settled conflict', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await merge(bench, 'disk', 'main', { rule: 'ours' });
    const old = (await infoOf(bench, 'disk')).head;
    await say(bench, 'disk', assistant('The eviction test passes.'), user('Also list the largest pages.'));
    const { brings, conflicts, since, entry } = await merge(bench, 'disk', 'main');
    expect(since).toEqual({ session: 'disk', seq: old, by: 'merge' });
    expect(conflicts).toEqual([]);
    expect(texts(brings)).toContain('Also list the largest pages.');
    expect(brings.every(({ sources }) => sources.some(({ seq }) => seq! > old))).toBe(true);
    expect((entry!.body as Merge).since).toEqual({ session: 'disk', seq: old });
    const { pending, completed } = await checkpointOf(bench, 'main');
    expect(texts(pending)).toEqual(['Also list the largest pages.']);
    expect(texts(completed)).toContain(`${EVICTION} → The eviction test passes.`);
  });

  it('finds the same in branches that were compacted', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await compact(bench, 'disk', {
      covers: { from: 2, to: 7 },
      decisions: { 3: 'Cache rendered pages', 7: FILES },
    });
    await compact(bench, 'main', { covers: { from: 4, to: 7 }, decisions: { 7: MAP } });
    const preview = await previewMerge(bench.store, await infoOf(bench, 'main'), await infoOf(bench, 'disk'));
    expect(preview.conflicts.map(({ ours, theirs }) => [ours.text, theirs.text])).toEqual([[MAP, FILES]]);
    await merge(bench, 'disk', 'main', { rule: 'theirs' });
    const { decisions } = await checkpointOf(bench, 'main');
    expect(texts(decisions)).toContain(FILES);
    expect(texts(decisions)).not.toContain(MAP);
  });

  it('brings nothing from a branch in which nothing was said', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await fork(bench, 'main', 'quiet', 3);
    const before = await bench.store.read('main');
    expect(await merge(bench, 'quiet', 'main')).toMatchObject({ nothing: true, brings: [], conflicts: [] });
    expect(await bench.store.read('main')).toEqual(before);
  });

  it('brings nothing from a branch that only compacted what both share', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await fork(bench, 'main', 'tidy', 6);
    await compact(bench, 'tidy', {
      covers: { from: 2, to: 4 },
      decisions: { 3: 'Pages that were rendered are cached' },
    });
    expect((await checkpointOf(bench, 'tidy')).decisions).not.toEqual([]);
    expect(await merge(bench, 'tidy', 'main')).toMatchObject({ nothing: true });
  });

  it('does the previewed merge or nothing: a plan that no longer holds is refused', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { plan } = await previewMerge(
      bench.store,
      await infoOf(bench, 'main'),
      await infoOf(bench, 'disk'),
    );
    await say(bench, 'disk', assistant('We decided to limit the cache to 200 MB.'));
    await expect(merge(bench, 'disk', 'main', { plan, rule: 'ours' })).rejects.toMatchObject({
      code: 'merge-stale',
    });
    const fresh = await previewMerge(bench.store, await infoOf(bench, 'main'), await infoOf(bench, 'disk'));
    expect((await merge(bench, 'disk', 'main', { plan: fresh.plan, rule: 'ours' })).entry).toBeDefined();
  });

  it('is made once when two merge the same branch at the same time', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const disk = await infoOf(bench, 'disk');
    const handles = await Promise.all([1, 2].map(() => openSession(bench.store, 'main', { mode: 'join' })));
    const results = await Promise.allSettled(
      handles.map((handle) => mergeBranch(handle, disk, { rule: 'ours' })),
    );
    const entries = await bench.store.read('main', { only: 'notes' });
    expect(entries.filter(({ body }) => body.kind === 'merge')).toHaveLength(1);
    // The other one finds that it has nothing left to do, or that what it saw is not so any more.
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'merge-stale' });
    }
    expect(results.some((result) => result.status === 'fulfilled' && result.value.entry)).toBe(true);
  });

  it('is refused while another process holds the lease of the session', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await using _talker = await openSession(bench.store, 'main');
    const handle = await openSession(bench.store, 'main', { mode: 'join' });
    await expect(mergeBranch(handle, await infoOf(bench, 'disk'), { rule: 'ours' })).rejects.toMatchObject({
      code: 'lease-held',
    });
  });

  it('can be taken back, and made again', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { entry } = await merge(bench, 'disk', 'main', { rule: 'theirs' });
    const before = await bench.store.read('main');
    await using session = await open(bench, 'main');
    await undoMerge(session, entry!.id);
    await session.close();
    expect(await bench.store.read('main', { upTo: before.length })).toEqual(before);
    expect(texts((await checkpointOf(bench, 'main')).decisions)).toEqual([]);
    expect(await seenBy(bench, 'main')).not.toContain(FILES);
    expect(await merge(bench, 'disk', 'main', { rule: 'theirs' })).toMatchObject({ nothing: false });
    await using again = await open(bench, 'main');
    await expect(undoMerge(again, before[1]!.id)).rejects.toMatchObject({ code: 'entry-not-found' });
  });

  it('is refused for a session and itself', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await expect(merge(bench, 'main', 'main')).rejects.toMatchObject({ code: 'usage' });
  });
});
