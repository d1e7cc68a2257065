import { describe, expect, it } from 'vitest';
import { diffBranches, mergeBranch } from '../../src/branches/index.ts';
import { purgeSession, resumeSession, trashSession } from '../../src/session/index.ts';
import { assistant, summaryOf, user } from '../../src/testing/index.ts';
import { type Bench, STORES } from '../session/stores.ts';
import { FILES, fork, infoOf, MAP, open, say, twoPlans } from './plans.ts';

async function diff(bench: Bench, a: string, b: string) {
  return diffBranches(bench.store, await infoOf(bench, a), await infoOf(bench, b));
}

async function merge(
  bench: Bench,
  branch: string,
  into: string,
  options: Parameters<typeof mergeBranch>[2] = {},
) {
  await using session = await open(bench, into);
  return await mergeBranch(session, await infoOf(bench, branch), options);
}

/** Resumes a session from a summary with decisions that it says at these entries. */
async function resume(
  bench: Bench,
  parent: string,
  id: string,
  decisions: Readonly<Record<number, string>> = {},
) {
  const entries = await bench.store.read(parent);
  const lines = Object.entries(decisions).map(([seq, text]) => ({
    text,
    from: [entries[Number(seq) - 1]!.id],
  }));
  bench.clock.advance(1000);
  const summary = { ...summaryOf('Of before'), decisions: lines };
  const options = { summary, birth: { id }, now: bench.clock.now };
  await (await resumeSession(bench.store, await infoOf(bench, parent), options)).close();
}

const decide = (what: string) => assistant(`We decided to ${what}.`);
const said = (what: string) => `We decided to ${what}.`;
/** What each side decided since, and of whom. */
function decided({ changes }: Awaited<ReturnType<typeof diff>>): string[] {
  return changes
    .filter(({ list }) => list === 'decisions')
    .map(({ side, change, text }) => `${side} ${change}: ${text}`);
}

describe.each(STORES)('branches of one family in a $kind store', ({ open: openBench }) => {
  it('are compared since they parted: parent and fork', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const difference = await diff(bench, 'main', 'disk');
    expect(difference.since).toEqual({ session: 'main', seq: 4, by: 'parting' });
    expect(decided(difference)).toEqual([`ours added: ${MAP}`, `theirs added: ${FILES}`]);
    expect(decided(await diff(bench, 'disk', 'main'))).toEqual([
      `ours added: ${FILES}`,
      `theirs added: ${MAP}`,
    ]);
  });

  it('two forks of one session, since the earlier fork point', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await fork(bench, 'main', 'late', 7);
    await say(bench, 'late', decide('log every cache miss'));
    const difference = await diff(bench, 'late', 'disk');
    expect(difference.since).toEqual({ session: 'main', seq: 4, by: 'parting' });
    expect(decided(difference)).toEqual([
      `ours added: ${MAP}`,
      `ours added: ${said('log every cache miss')}`,
      `theirs added: ${FILES}`,
    ]);
    const own = difference.changes.find(({ text }) => text === MAP)!;
    expect(own.sources).toMatchObject([{ session: 'main', seq: 7 }]);
  });

  it('a fork of a fork, with its grandparent', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await fork(bench, 'disk', 'disk-2');
    await say(bench, 'disk-2', decide('compress each stored page'));
    const difference = await diff(bench, 'main', 'disk-2');
    expect(difference.since).toEqual({ session: 'main', seq: 4, by: 'parting' });
    expect(decided(difference)).toContain(`theirs added: ${said('compress each stored page')}`);
    expect(decided(difference)).toContain(`theirs added: ${FILES}`);
  });

  it('a session and the one that it was resumed into', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const { head } = await infoOf(bench, 'main');
    await resume(bench, 'main', 'main-2', { 7: MAP });
    await say(bench, 'main-2', user('Go on.'), decide('log every cache miss'));
    await say(bench, 'main', decide('measure every request'));
    const difference = await diff(bench, 'main', 'main-2');
    expect(difference.since).toEqual({ session: 'main', seq: head, by: 'parting' });
    expect(decided(difference)).toEqual([
      `ours added: ${said('measure every request')}`,
      `theirs added: ${said('log every cache miss')}`,
    ]);
  });

  it('a branch that was resumed on its way, with the session it comes home to', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await resume(bench, 'disk', 'disk-2', { 3: 'Rendered pages are cached', 7: FILES });
    await say(bench, 'disk-2', user('Go on.'), decide('compress each stored page'));
    const difference = await diff(bench, 'main', 'disk-2');
    expect(difference.since).toEqual({ session: 'main', seq: 4, by: 'parting' });
    expect(decided(difference)).toEqual([
      `ours added: ${MAP}`,
      `theirs added: ${FILES}`,
      `theirs added: ${said('compress each stored page')}`,
    ]);
    const { entry } = await merge(bench, 'disk-2', 'main', { rule: 'theirs' });
    expect(entry!.body).toMatchObject({ branch: 'disk-2', since: { session: 'main', seq: 4 } });
    expect(await merge(bench, 'disk-2', 'main')).toMatchObject({ nothing: true });
  });

  it('that have merged a part go on from there, through forks and resumptions', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await merge(bench, 'disk', 'main', { rule: 'theirs' });
    const { head } = await infoOf(bench, 'disk');
    await resume(bench, 'disk', 'disk-2', { 7: FILES });
    await say(bench, 'disk-2', user('Go on.'), decide('compress each stored page'));
    await fork(bench, 'main', 'main-b');
    for (const into of ['main', 'main-b']) {
      const difference = await diff(bench, into, 'disk-2');
      expect(difference.since).toEqual({ session: 'disk', seq: head, by: 'merge' });
      expect(decided(difference).filter((line) => line.startsWith('theirs'))).toEqual([
        `theirs added: ${said('compress each stored page')}`,
      ]);
    }
    // A fork from before the end of what was merged has only that much in common.
    await fork(bench, 'disk', 'early', 7);
    expect((await diff(bench, 'main', 'early')).since).toEqual({ session: 'disk', seq: 7, by: 'merge' });
  });

  it('merge in both directions, each time only new lines', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await merge(bench, 'main', 'disk', { rule: 'both' });
    await say(bench, 'main', decide('log every cache miss'));
    const home = await merge(bench, 'disk', 'main', { rule: 'both' });
    expect(home.since).toMatchObject({ session: 'main', by: 'merge' });
    expect(home.brings.map(({ text }) => text)).toContain(FILES);
    await say(bench, 'disk', decide('compress each stored page'));
    const back = await merge(bench, 'main', 'disk');
    expect(back.since).toMatchObject({ session: 'disk', by: 'merge' });
    expect(back.brings.map(({ text }) => text)).toEqual([said('log every cache miss')]);
    const again = await merge(bench, 'disk', 'main');
    expect(decided(again).filter((line) => line.startsWith('theirs'))).toEqual([
      `theirs added: ${said('compress each stored page')}`,
    ]);
    expect(await merge(bench, 'disk', 'main')).toMatchObject({ nothing: true });
    expect(await merge(bench, 'main', 'disk')).toMatchObject({ nothing: true });
  });

  it('keep what came from a branch when that is purged, without its sources', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await merge(bench, 'disk', 'main', { rule: 'theirs' });
    await trashSession(bench.store, 'disk');
    await purgeSession(bench.store, await infoOf(bench, 'disk'));
    await fork(bench, 'main', 'late', 4);
    const difference = await diff(bench, 'late', 'main');
    const line = difference.changes.find(({ text }) => text === FILES)!;
    // The merge itself is still there to tell.
    expect(line.sources.map(({ session, seq }) => [session, seq])).toEqual([
      [undefined, undefined],
      ['main', (await infoOf(bench, 'main')).head],
    ]);
  });

  it('are not compared when they are not of one family', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    await bench.store.create({ id: 'stranger' });
    await expect(diff(bench, 'main', 'stranger')).rejects.toMatchObject({
      code: 'branches-unrelated',
      details: { sessions: ['main', 'stranger'] },
    });
  });

  it('count a to-do that one of them finished or cancelled', async () => {
    await using bench = await openBench();
    await twoPlans(bench);
    const todo = (id: string, text: string, status: 'pending' | 'completed' | 'cancelled') =>
      ({ kind: 'todo', id, text, status }) as const;
    await say(
      bench,
      'main',
      todo('1', 'Ship it on Monday', 'pending'),
      todo('2', 'Ask the lawyers', 'pending'),
    );
    await fork(bench, 'main', 'b');
    await say(
      bench,
      'b',
      todo('1', 'Ship it on Monday', 'completed'),
      todo('2', 'Ask the lawyers', 'cancelled'),
    );
    const { brings } = await merge(bench, 'b', 'main');
    expect(brings.map(({ list, change, text }) => `${change} ${list}: ${text}`)).toEqual([
      'added completed: Ship it on Monday',
      'removed pending: Ship it on Monday',
      'removed pending: Ask the lawyers',
    ]);
  });
});
