// Two branches of one conversation come to different conclusions. They are compared, and the one is merged into the other.
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  appendAfter,
  createSession,
  diffBranches,
  forkSession,
  mergeBranch,
  openSession,
  openStore,
  previewMerge,
  readCheckpoint,
} from 'throughline';
import { assistant, user } from 'throughline/testing';

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
await using store = await openStore(path.join(folder.path, 'throughline.db'));

await using main = await createSession(store, { id: 'cache', title: 'Cache' });
await main.append([user('Add a cache.'), assistant('We decided to cache rendered pages.')]);
const { id: planB } = await forkSession(store, main.info, { id: 'cache-b', title: 'Cache on disk' });
await main.append([user('Try a map.'), assistant('We decided to use a map in memory for the cache.')]);
{
  await using branch = await openSession(store, planB);
  await branch.append([
    user('Try files.'),
    assistant('We decided to use files on disk for the cache.'),
    user('Add a test for eviction.'),
  ]);
}
const branch = async () => (await store.session(planB))!;

// What each came to since they parted. Neither was compacted: what was said is digested on the way, and nothing is written.
const { since, conflicts } = await diffBranches(store, main.info, await branch());
assert.deepEqual(since, { session: 'cache', seq: 3, by: 'parting' });
for (const { ours, theirs } of conflicts) console.log(`${ours.text}\n  or: ${theirs.text}`);

// Nothing is decided silently: somebody has to say which side holds, or name a rule.
await assert.rejects(mergeBranch(main, await branch()), { code: 'merge-conflict' });
const preview = await previewMerge(store, main.info, await branch());
const choices = new Map([[1, 'theirs' as const]]);
const { entry } = await mergeBranch(main, await branch(), { choices, plan: preview.plan });
assert.equal(entry!.body.kind, 'merge');

const { decisions, pending } = await readCheckpoint(store, main.info);
assert.deepEqual(
  decisions.map(({ text }) => text),
  ['We decided to use files on disk for the cache.'],
);
assert.deepEqual(
  pending.map(({ text }) => text),
  ['Add a test for eviction.'],
);

// Merging it again finds nothing; later only what is new comes.
assert.equal((await mergeBranch(main, await branch())).nothing, true);

// Two writers who went on from the same entry: the later one goes behind the other, or into a branch of its own.
await using late = await openSession(store, planB, { mode: 'join' });
await store.append(planB, [{ body: assistant('The test is written.') }]);
const landed = await appendAfter(late, [user('How is the test?')], { onHeadMoved: 'fork' });
assert.equal(landed.outcome, 'forked');
assert.deepEqual(landed.session.parent, { session: planB, relation: 'fork', seq: late.info.head - 1 });
console.log(`${landed.outcome} into ${landed.session.id}; ${landed.newcomers.length} entry was there first`);
