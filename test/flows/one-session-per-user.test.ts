import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { openStore } from '../../src/store/index.ts';
import { said } from '../session/stores.ts';
import { startChild, tempFolder } from './child.ts';

const CLIENTS = 50;
const AT_ONCE = 20;
const USERS = 10;

interface Asked {
  readonly user: string;
  readonly question: string;
}

/** Every client asks for several users at once. */
const ASKED: readonly Asked[] = Array.from({ length: CLIENTS * AT_ONCE }, (_, n) => ({
  user: `ann${'a'.repeat(n % USERS)}`,
  question: `question ${n} of client ${Math.floor(n / AT_ONCE)}`,
}));

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

it.each([1, 2])(
  'a server in %i processes answers every request, each in the session of its user',
  async (processes) => {
    using folder = tempFolder();
    const file = folder.file('store.db');
    await (await openStore(file))[Symbol.asyncDispose]();
    const servers = Array.from({ length: processes }, () => startChild('serve-users.ts', [file]));
    const ports = await Promise.all(servers.map(async (server) => (await server.line('port')).slice(5)));
    const answers = await Promise.all(ASKED.map((asked, n) => ask(ports[n % processes]!, asked)));
    expect(answers).toEqual(ASKED.map(({ question }) => ({ status: 200, answer: `Answer to ${question}` })));

    for (const { process } of servers) process.kill('SIGTERM');
    for (const { ended } of servers) expect(await ended).toMatchObject({ code: 0, stderr: '' });
    await using store = await openStore(file);
    const users = [...new Set(ASKED.map(({ user }) => user))];
    expect((await store.count()).active).toBe(users.length);
    for (const user of users) {
      const log = said(await store.read(`user-${user}`, { only: 'messages' }));
      const questions = log.filter((_, n) => n % 2 === 0);
      expect(log.filter((_, n) => n % 2 === 1)).toEqual(questions.map((question) => `Answer to ${question}`));
      expect(questions.toSorted()).toEqual(
        ASKED.filter((asked) => asked.user === user)
          .map(({ question }) => question)
          .toSorted(),
      );
    }
    expect((await store.verify()).problems).toEqual([]);
  },
  600_000,
);
