// Tries a second idea from the middle of a conversation, and draws the family that comes of it.
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createSession,
  forkSession,
  type LineageNode,
  openSession,
  openStore,
  readLineage,
  titleOf,
} from 'throughline';
import { assistant, user } from 'throughline/testing';

await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
await using store = await openStore(path.join(folder.path, 'throughline.db'));

await using session = await createSession(store, { id: 'cache', title: 'Cache' });
await session.append([user('How do we cache this?'), assistant('With a map in memory.')]);
const forkPoint = session.info.head;
await session.append([user('Go on with the map.'), assistant('Done.')]);

// The fork shares the parent's entries up to the fork point and goes on with the next number.
const fork = await forkSession(store, session.info, { at: forkPoint, id: 'cache-b', title: 'Cache, plan B' });
await using planB = await openSession(store, fork.id);
const [first] = await planB.append([user('Try files instead.')]);
assert.equal(first!.seq, forkPoint + 2, 'the title of its own took the number before');

// Neither sees what the other says after they parted, and nothing was copied.
const texts = (entries: Awaited<ReturnType<typeof store.read>>) =>
  entries.map(({ body }) => (body.kind === 'message' ? body.parts[0]?.text : body.kind));
assert.deepEqual(texts(await planB.read({ only: 'messages' })), [
  'How do we cache this?',
  'With a map in memory.',
  'Try files instead.',
]);
assert.equal(texts(await session.read({ only: 'messages' })).at(-1), 'Done.');

// Its parent's entries are stored once, so a fork keeps its parent from being purged.
await assert.rejects(store.purge('cache'), { code: 'session-has-forks' });

function draw({ session: { id, state }, children }: LineageNode, indent = ''): string[] {
  return [`${indent}${id}  ${titleOf(state)}`, ...children.flatMap((child) => draw(child, `${indent}  `))];
}
const { root } = await readLineage(store, planB.info);
assert.deepEqual(draw(root), ['cache  Cache', '  cache-b  Cache, plan B']);
console.log(draw(root).join('\n'));
