import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { said } from '../session/stores.ts';
import { startChild, tempFolder } from './child.ts';

export interface Load {
  readonly processes: number;
  readonly clients: number;
  /** Requests that each client sends at once. */
  readonly atOnce: number;
  readonly users: number;
}

interface Asked {
  readonly user: string;
  readonly question: string;
}

/** Puts all requests to the server of the example at once, and looks that each was answered once, in its user's session. */
export async function askUsers({ processes, clients, atOnce, users }: Load): Promise<void> {
  // The name of each user is the start of the next one's.
  const asked = Array.from({ length: clients * atOnce }, (_, n) => ({
    user: `ann${'a'.repeat(n % users)}`,
    question: `question ${n} of client ${Math.floor(n / atOnce)}`,
  }));
  using folder = tempFolder();
  const file = folder.file('store.db');
  await (await openStore(file))[Symbol.asyncDispose]();
  const servers = Array.from({ length: processes }, () => startChild('serve-users.ts', [file]));
  const ports = await Promise.all(servers.map(async (server) => (await server.line('port')).slice(5)));
  const answers = await Promise.all(asked.map((one, n) => ask(ports[n % processes]!, one)));
  expect(answers).toEqual(asked.map(({ question }) => ({ status: 200, answer: `Answer to ${question}` })));

  for (const { process } of servers) process.kill('SIGTERM');
  for (const { ended } of servers) expect(await ended).toMatchObject({ code: 0, stderr: '' });
  await using store = await openStore(file);
  const names = [...new Set(asked.map(({ user }) => user))];
  expect((await store.count()).active).toBe(names.length);
  for (const name of names) {
    const log = said(await store.read(`user-${name}`, { only: 'messages' }));
    const questions = log.filter((_, n) => n % 2 === 0);
    expect(log.filter((_, n) => n % 2 === 1)).toEqual(questions.map((question) => `Answer to ${question}`));
    const own = asked.filter(({ user }) => user === name).map(({ question }) => question);
    expect(questions.toSorted()).toEqual(own.toSorted());
  }
  expect((await store.verify()).problems).toEqual([]);
}

function ask(
  port: string,
  { user, question }: Asked,
): Promise<{ status: number | undefined; answer: string }> {
  return new Promise((resolve, reject) => {
    const asking = request(
      { port, host: '127.0.0.1', path: `/chat/${user}`, method: 'POST', agent: false },
      async (response) => resolve({ status: response.statusCode, answer: await text(response) }),
    );
    asking.on('error', reject).end(question);
  });
}
