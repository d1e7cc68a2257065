import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { OWNER } from '../../operations/index.ts';
import { createCall } from './call.ts';
import { createConnection } from './connection.ts';
import { dispatch } from './dispatch/dispatch.ts';
import { createLanes, createOpenAnswers, LAST_ANSWERS_MS } from './dispatch/lanes.ts';
import { RPC } from './error-codes.ts';
import { createService, type ServiceOptions } from './service.ts';
import { createWatches } from './watches.ts';

export interface ServeStdioOptions extends ServiceOptions {
  readonly input?: Readable;
  readonly output?: Writable;
  /** Ends the service at once; turns are stopped, and their answers so far are kept. */
  readonly signal?: AbortSignal;
}

/**
 * Serves the process that started it: one JSON text a line in, one a line out. When no more comes, turns that are running are
 * waited for.
 */
export async function serveStdio({
  input = process.stdin,
  output = process.stdout,
  signal,
  ...options
}: ServeStdioOptions): Promise<void> {
  await using service = createService(options, ['stdio']);
  const lanes = createLanes();
  const connection = createConnection((text, sent) =>
    output.write(`${text}\n`, (error) => (error ? connection.end() : sent())),
  );
  output.on('error', () => connection.end());
  const call = createCall(service, OWNER, { connection, watches: createWatches(service, connection) });
  const answers = createOpenAnswers();
  const running = new Set<Promise<void>>();
  /** Those that do not just wait for a turn. */
  const active = new Set<Promise<void>>();
  const stop = new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
    connection.signal.addEventListener('abort', () => resolve(), { once: true });
    if (signal?.aborted) resolve();
  });

  async function answer(line: string, onWaiting: () => void): Promise<void> {
    const text = await dispatch(line, call, lanes, { onWaiting });
    if (text !== undefined) connection.send(text);
  }

  async function listen(): Promise<void> {
    for await (const line of readLines(input, service.maxBodyBytes)) {
      if (line === undefined) {
        const error = {
          code: RPC.invalidRequest,
          message: 'The line is too long.',
          data: { code: 'request-too-large' },
        };
        connection.send(JSON.stringify({ jsonrpc: '2.0', id: null, error }));
        continue;
      }
      const { promise: slot, resolve: free } = Promise.withResolvers<void>();
      active.add(slot);
      void slot.then(() => active.delete(slot));
      const work: Promise<void> = answer(line, free).finally(() => {
        running.delete(work);
        free();
      });
      running.add(work);
      answers.add(work);
      // A client that asks faster than is answered, or does not read the answers, is not read until it does.
      if (active.size >= AT_ONCE) await Promise.race(active);
      if (connection.full) await connection.ready();
    }
    await Promise.all(running);
    await service.runs.settled();
  }

  await Promise.race([listen(), stop]);
  if (signal?.aborted) {
    // Calls that wait for a turn are answered with what became of it.
    await service.stop();
    await answers.last();
    await Promise.race([flushed(), delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
    // A read that is under way would keep the process alive.
    input.destroy();
  } else await Promise.race([flushed(), stop]);
  connection.end();

  async function flushed(): Promise<void> {
    while (connection.waiting > 0 && !connection.signal.aborted)
      await new Promise<void>((resolve) => output.write('', () => resolve()));
  }
}

const AT_ONCE = 64;

/** Each line that says something; `undefined` for one that is too long, which is not kept. */
async function* readLines(input: Readable, limit: number): AsyncGenerator<string | undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  let isTooLong = false;
  for await (const chunk of input as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop()!;
    for (const line of lines) {
      if (isTooLong || line.length > limit) yield undefined;
      else if (line.trim() !== '') yield line;
      isTooLong = false;
    }
    if (rest.length > limit) {
      rest = '';
      isTooLong = true;
    }
  }
  if (isTooLong) yield undefined;
  else if (rest.trim() !== '') yield rest;
}
