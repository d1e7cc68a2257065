import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/faces/rpc/index.ts';
import { openStore } from '../../../src/store/index.ts';
import { PROGRAM } from '../../flows/chat-place.ts';
import { startServe } from './served.ts';

let folder: string;
let store: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'throughline-full-'));
  store = path.join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly id?: number;
  readonly result?: { readonly aiSessionId: string; readonly chatSessionId: string } | undefined;
  readonly error?: {
    readonly message: string;
    readonly data: { readonly code: string; readonly details: { message?: string; entries?: string[] } };
  };
}

interface Talk {
  readonly pid: number;
  call(method: string, params: object): Promise<Answer>;
  /** SIGTERM; gives the exit code and what was printed on stderr. */
  end(): Promise<{ code: number | null; stderr: string }>;
}

async function overHttp(): Promise<Talk> {
  const served = await startServe(store);
  const client = createHttpClient({ url: served.url, token: served.token! });
  return {
    pid: served.child.pid!,
    call: (method, params) =>
      client.call(method as never, params as never).then(
        (result) => ({ result: result as unknown as Answer['result'] }),
        (error) => ({
          error: { message: error.message, data: { code: error.code, details: error.details } },
        }),
      ),
    end: async () => ({ code: await served.end('SIGTERM'), stderr: served.stderr() }),
  };
}

async function overStdio(): Promise<Talk> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--stdio', '--store', store], {
    env: { PATH: process.env.PATH ?? '', HOME: folder },
  });
  let stderr = '';
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const gone = once(child, 'exit');
  const answers = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    answers.get(answer.id!)?.(answer);
  });
  let last = 0;
  return {
    pid: child.pid!,
    call(method, params) {
      const { promise, resolve } = Promise.withResolvers<Answer>();
      answers.set(++last, resolve);
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
      return promise;
    },
    async end() {
      child.kill('SIGTERM');
      await gone;
      return { code: child.exitCode, stderr };
    },
  };
}

describe.runIf(process.platform === 'linux')('a server that is stopped while its disk is full', () => {
  it.each([
    ['HTTP', overHttp],
    ['stdio', overStdio],
  ])('brings over %s to a file what it could not save, says where, and fails', async (_, start) => {
    const talk = await start();
    const { result } = await talk.call('ai/session/create', {});
    const { aiSessionId, chatSessionId } = result!;
    const send = (content: string) =>
      talk.call('ai/session/send', { sessionId: aiSessionId, content, wait: true });
    expect((await send('The first message.')).error).toBeUndefined();
    const size = Math.max(
      ...[store, `${store}-wal`].map((file) => (existsSync(file) ? statSync(file).size : 0)),
    );
    execFileSync('prlimit', ['--pid', String(talk.pid), `--fsize=${size + 8192}:`]);
    const long = `The refused message. ${'word '.repeat(6000)}`;
    const refused = await send(long);
    expect(refused.error?.data).toMatchObject({
      code: 'not-saved',
      details: { kept: 'memory', message: expect.any(String) },
    });
    const { message, entries } = refused.error!.data.details;
    expect(entries).toContain(message);
    expect(refused.error!.message).toContain(`Message ${message} is one of them`);
    const later = await send('The next message.');
    expect(later.error!.data.details).toMatchObject({ kept: 'nowhere' });

    const { code, stderr } = await talk.end();
    expect(code, stderr).toBe(33);
    const file = /throughline import --trust '(.+)'/.exec(stderr)![1]!;
    expect(statSync(file).mode & 0o777).toBe(0o600);
    execFileSync(process.execPath, [PROGRAM, 'import', '--trust', file, '--store', store], {
      env: { PATH: process.env.PATH ?? '', HOME: folder },
    });
    await using opened = await openStore(store);
    const said = await opened.read(chatSessionId, { only: 'messages' });
    const asked = said.flatMap(({ id, body }) =>
      body.kind === 'message' && body.role === 'user' ? [id] : [],
    );
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBe(message);
  });
});
