import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { StartHost } from './play.ts';

const SCRIPT = path.join(import.meta.dirname, 'library-host.ts');

/** A program of its own that has nothing but the library. */
export const startLibrary: StartHost = async ({ location, agent, env }) => {
  const child = spawn(process.execPath, [SCRIPT, location, agent], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  const gone = once(child, 'close');
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const callOf = (id: number) => {
    const call = calls.get(id) ?? Promise.withResolvers<unknown>();
    calls.set(id, call);
    return call;
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    if (error === undefined) callOf(id).resolve(result);
    else callOf(id).reject(new Error(error));
  });
  let last = 0;
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result.
  const call = (command: string, params: object): Promise<any> => {
    const id = ++last;
    child.stdin.write(`${JSON.stringify({ id, command, ...params })}\n`);
    return callOf(id).promise;
  };
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await gone;
  };
  await callOf(0).promise;
  return {
    pids: () => [child.pid!],
    send: (session, text) => call('send', { session, text }),
    cancel: (session) => call('cancel', { session }),
    turns: (session) => call('turns', { session }),
    told: (session) => call('told', { session }),
    goOn: (session, way) => call('goOn', { session, way }),
    end,
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
};
