// A server with a session for each user. Any number of requests of one user may come at once, to any number of processes
// over one store: they are answered one after the other, each in the session of its own user.
import assert from 'node:assert/strict';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import {
  isThroughlineError,
  type ModelChoice,
  openOrCreateSession,
  openStore,
  runTurn,
  type Store,
} from 'throughline';

export interface ChatServerOptions {
  readonly model: ModelChoice;
  /** How long a request waits for those of the same user before it. */
  readonly waitMs?: number;
}

/** Answers `POST /chat/<user>` with what the model says to the body. */
export function createChatServer(store: Store, { model, waitMs = 30_000 }: ChatServerOptions): Server {
  async function answer(user: string, question: string): Promise<string> {
    await using session = await openOrCreateSession(store, `user-${user}`, { title: user, waitMs });
    return (await runTurn(session, question, { model })).text;
  }

  return createServer(async (request, response) => {
    try {
      const [, user = ''] = /^\/chat\/([\w-]{1,100})$/.exec(request.url ?? '') ?? [];
      if (user === '') return void response.writeHead(404).end();
      response.end(await answer(user, await text(request)));
    } catch (error) {
      const later = isThroughlineError(error, 'lease-held');
      response.writeHead(later ? 503 : 500).end(later ? 'Busy. Try again.' : 'Something went wrong.');
    }
  });
}

if (import.meta.main) {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'throughline-example-'));
  await using store = await openStore(path.join(folder.path, 'throughline.db'));
  const server = createChatServer(store, { model: 'offline' }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const say = async (user: string, body: string) =>
    (await fetch(`http://127.0.0.1:${port}/chat/${user}`, { method: 'POST', body })).text();

  // Ann's first three requests come at once, and one of a user whose name is the start of hers.
  await Promise.all([
    ...['My secret is 42.', 'I live in Oslo.', 'I like tea.'].map((body) => say('ann', body)),
    say('a', 'Hello.'),
  ]);
  assert.match(await say('ann', 'What is my secret?'), /42/);
  assert.doesNotMatch(await say('a', 'What is my secret?'), /42/);
  assert.equal((await store.count()).active, 2);
  assert.equal((await store.session('user-ann'))?.totals.queries, 4);
  console.log('Two users, two sessions.');

  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
