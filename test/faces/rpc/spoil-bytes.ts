import { connect } from 'node:net';
import fc from 'fast-check';
import { expect } from 'vitest';
import { createRpcServer } from '../../../src/faces/rpc/index.ts';
import { createMemoryStore } from '../../../src/store/index.ts';
import { user } from '../../../src/testing/index.ts';

const KEPT = user('Keep me.');

/** What is wrong with it is for the client to know; the server never says that something is wrong with itself. */
const TOLD = [200, 204, 400, 401, 403, 404, 408, 413, 415, 417, 431];

const odd = fc.constantFrom(
  '\0',
  '\r\n',
  '\r\n\r\n',
  '\n',
  ' ',
  ':',
  '%',
  '..',
  '\u00ff',
  '{',
  '"',
  '9'.repeat(30),
  'x'.repeat(20_000),
);

/** A place in the request, and what happens there. */
const slip = fc.record({
  where: fc.double({ min: 0, max: 0.999, noNaN: true }),
  how: fc.constantFrom('replace', 'insert', 'cut', 'drop', 'repeat'),
  what: odd,
});

/** Spoils the bytes of valid requests, headers and all, and looks whether the server and what it holds are whole. */
export async function spoilBytes(runs: number): Promise<void> {
  await using store = createMemoryStore();
  await store.create({ id: 'kept' });
  await store.append('kept', [{ body: KEPT }]);
  const surprises: unknown[] = [];
  await using server = await createRpcServer({
    store,
    env: {},
    onError: (error) => surprises.push(error),
    timeouts: { headers: 500, request: 600 },
  });
  const valid = requests(server.token!);
  const spoiled = fc
    .tuple(fc.constantFrom(...valid), fc.array(slip, { minLength: 1, maxLength: 3 }))
    .map(([text, slips]) => slips.reduce(spoilOne, text));
  const texts = fc.sample(spoiled, runs);
  for (let at = 0; at < texts.length; at += 250) {
    const answers = await Promise.all(texts.slice(at, at + 250).map((text) => say(server.port, text)));
    for (const answer of answers)
      for (const [, status] of answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)) expect(TOLD).toContain(Number(status));
  }
  for (const text of valid) expect(await say(server.port, text)).toMatch(/^HTTP\/1\.1 200 /);
  expect(surprises).toEqual([]);
  expect((await store.read('kept'))[0]!.body).toEqual(KEPT);
}

function requests(token: string): string[] {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'chat/message/add',
    params: { sessionId: 'kept', role: 'user', content: 'Hello' },
  });
  const head = [
    'POST /rpc HTTP/1.1',
    'Host: 127.0.0.1',
    'Connection: close',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ];
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  return [
    [...head, `Content-Length: ${body.length}`, '', body].join('\r\n'),
    [...head, 'Transfer-Encoding: chunked', '', chunked].join('\r\n'),
    [...head, 'Accept: text/event-stream', `Content-Length: ${body.length}`, '', body].join('\r\n'),
  ];
}

function spoilOne(text: string, { where, how, what }: { where: number; how: string; what: string }): string {
  const at = Math.floor(where * text.length);
  const rest = text.slice(at);
  if (how === 'replace') return text.slice(0, at) + what + text.slice(at + what.length);
  if (how === 'insert') return text.slice(0, at) + what + rest;
  if (how === 'cut') return text.slice(0, at);
  return how === 'drop' ? text.slice(0, at) + text.slice(at + 1) : text.slice(0, at) + rest + rest;
}

/** What comes back until the server hangs up. */
function say(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('end', () => socket.destroy());
    socket.on('close', () => resolve(heard));
    socket.write(Buffer.from(text, 'latin1'));
  });
}
