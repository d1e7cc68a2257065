import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { format, interleave, median, type Row } from './measure.ts';

const CONNECTIONS = 16;
const ROUND_MS = 1_500;
const ROUNDS = 9;
const LEAST = 0.5;

/** `chat/message/add` over loopback HTTP against a handler of the same server that does nothing. */
export async function benchServer(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  const child = fork(path.join(import.meta.dirname, 'server-child.ts'), [path.join(folder, 'store.db')]);
  try {
    const [ports] = (await once(child, 'message')) as [{ rpc: number; empty: number; token: string }];
    const computing = new Map<string, number[]>();
    const contender = (name: string, port: number, sessions: number) => ({
      name,
      async round() {
        const before = await computedBy(child);
        const rate = await requestsPerSecond(port, { token: ports.token, sessions });
        const spent = (await computedBy(child)) - before;
        computing.set(name, [...(computing.get(name) ?? []), spent / ((rate * ROUND_MS) / 1000)]);
        return rate;
      },
    });
    const contenders = [
      contender('empty', ports.empty, 1),
      contender('one', ports.rpc, 1),
      contender('four', ports.rpc, 4),
    ];
    const rates = await interleave(contenders, ROUNDS);
    const [raw, one, four] = ['empty', 'one', 'four'].map((name) => median(rates.get(name)!));
    const [least, most] = ['empty', 'one'].map((name) => median(computing.get(name)!));
    const share = (ours: number) =>
      `${format(ours)} / ${format(raw!)} = ${((100 * ours) / raw!).toFixed(0)} %`;
    return [
      {
        work: '`chat/message/add` over loopback HTTP (normal), requests a second, against an empty handler of the same server',
        value: share(one!),
        target: `≥ ${100 * LEAST} %`,
        met: one! / raw! >= LEAST,
      },
      { work: '… to four sessions in turn', value: share(four!), target: '–' },
      {
        work: '… computing of the server for each request, whatever else the machine does: the empty handler against the message',
        value: `${format(least!)} µs / ${format(most!)} µs = ${((100 * least!) / most!).toFixed(0)} %`,
        target: '–',
      },
    ];
  } finally {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function computedBy(child: ChildProcess): Promise<number> {
  child.send('computed');
  const [microseconds] = (await once(child, 'message')) as [number];
  return microseconds;
}

/** Bare sockets, one request at a time on each: a client that costs more than the server would hide the difference. */
async function requestsPerSecond(port: number, talk: { token: string; sessions: number }): Promise<number> {
  const end = performance.now() + ROUND_MS;
  const counts = Array.from({ length: CONNECTIONS }, (_, index) =>
    converse(port, requestOf(index, talk), end),
  );
  const total = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  return (total * 1000) / ROUND_MS;
}

function requestOf(index: number, { token, sessions }: { token: string; sessions: number }): string {
  const params = {
    sessionId: `s${index % sessions}`,
    role: 'user',
    content: 'The port is 8000, and the host is the old one.',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'chat/message/add', params });
  return [
    'POST /rpc HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}

async function converse(port: number, request: string, end: number): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  let count = 0;
  let heard = '';
  const done = Promise.withResolvers<void>();
  socket.on('error', done.reject);
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
    const head = heard.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? 0);
    if (heard.length < head + 4 + length) return;
    if (!/^HTTP\/1\.1 20[04]/.test(heard) || heard.includes('"error"')) done.reject(new Error(heard));
    heard = '';
    count++;
    if (performance.now() < end) socket.write(request);
    else done.resolve();
  });
  socket.write(request);
  await done.promise;
  socket.destroy();
  return count;
}
