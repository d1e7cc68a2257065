// Two writers meet in one session. The second is told who is there; a dead writer stands in nobody's way.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createSession,
  forkSession,
  isThroughlineError,
  openSession,
  openStore,
  tagSession,
} from 'throughline';
import { user } from 'throughline/testing';

const [role, given] = process.argv.slice(2);

// The other process: opens the session to write, says one thing, and stays.
if (role === 'other' && given) {
  const store = await openStore(given);
  const session = await openSession(store, 'shared', { owner: 'the other one' });
  await session.append([user('I was here.')]);
  console.log('writing');
  setInterval(() => {}, 1000);
} else {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
  const file = path.join(folder.path, 'throughline.db');
  await using store = await openStore(file);
  await (await createSession(store, { id: 'shared' })).close();

  const other = spawn(process.execPath, [import.meta.filename, 'other', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');

  // Somebody alive holds the lease. Who it is stands in the message and, for programs, in the details.
  const refusal = await openSession(store, 'shared').catch((error: unknown) => error);
  assert(isThroughlineError(refusal, 'lease-held'));
  assert.match(refusal.message, /the other one/);
  console.log(refusal.message);

  // What remains: look on, …
  await using reader = await openSession(store, 'shared', { mode: 'read' });
  assert.equal((await reader.read()).length, 1);
  // … say something about the session rather than in it, …
  await tagSession(store, 'shared', 'busy');
  // … or go on in a fork.
  const fork = await forkSession(store, reader.info, { id: 'mine' });
  await using mine = await openSession(store, fork.id);
  await mine.append([user('I go on here.')]);

  // The other process is killed. Its lease is void as soon as somebody asks.
  other.kill('SIGKILL');
  await once(other, 'exit');
  await using session = await openSession(store, 'shared');
  await session.append([user('My turn.')]);
  const entries = await session.read({ only: 'messages' });
  assert.deepEqual(
    entries.map(({ body }) => body.kind === 'message' && body.parts[0]?.text),
    ['I was here.', 'My turn.'],
  );
  console.log('taken over from a dead process, nothing lost');
}
