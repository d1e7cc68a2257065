import { Worker } from 'node:worker_threads';
import type { Announced, Elsewhere, RequestPlan } from '../../agent/index.ts';
import { type ErrorCode, ThroughlineError } from '../../errors.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { packageFile } from '../../tokens/index.ts';

/** Builds the requests of long sessions in a thread, so that other calls do not wait for them. */
export interface Contexts extends AsyncDisposable {
  readonly elsewhere: Elsewhere;
}

export interface Question {
  readonly number: number;
  readonly info: SessionInfo;
  readonly plan: RequestPlan;
}

export interface WorkerAnswer {
  readonly number: number;
  readonly built?: Announced;
  readonly failure?: {
    readonly code?: ErrorCode;
    readonly message: string;
    readonly details?: Record<string, unknown>;
  };
}

/** Up to so many entries a request is built here: that takes less than to ask the thread. */
const AT_ONCE = 1_500;
const IDLE_MS = 60_000;

/** One thread, for as long as it has questions. A store without a file can only be read in this thread. */
export function createContexts(store: Store, { atOnce = AT_ONCE }: { atOnce?: number } = {}): Contexts {
  const waiting = new Map<number, PromiseWithResolvers<Announced>>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;

  function ask(info: SessionInfo, plan: RequestPlan): Promise<Announced> {
    clearTimeout(idle);
    worker ??= start();
    const answered = Promise.withResolvers<Announced>();
    waiting.set(++last, answered);
    // A copy of what can be read again anyway: a handle's info may hold more than a thread can be given.
    worker.postMessage({ number: last, ...plain({ info, plan }) } satisfies Question);
    return answered.promise;
  }

  function start(): Worker {
    const started = new Worker(workerFile(), { workerData: { location: store.facts.location } });
    started.unref();
    started.on('message', ({ number, built, failure }: WorkerAnswer) => {
      const asked = waiting.get(number);
      waiting.delete(number);
      if (built) asked?.resolve(built);
      else asked?.reject(toError(failure!));
      if (waiting.size === 0) idle = setTimeout(stop, IDLE_MS).unref();
    });
    started.on('error', fail);
    started.on('exit', () => fail(new Error('The thread has ended.')));

    function fail(error: Error): void {
      if (worker !== started) return;
      worker = undefined;
      giveUp(error);
    }
    return started;
  }

  async function stop(): Promise<void> {
    clearTimeout(idle);
    const stopped = worker;
    worker = undefined;
    // Before a question can reach the next thread.
    giveUp(new Error('The thread was stopped.'));
    await stopped?.terminate();
  }

  function giveUp(error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return {
    async elsewhere(info, plan) {
      const isLong = store.facts.backend === 'sqlite' && lengthOf(info) > atOnce;
      if (!isLong) return undefined;
      try {
        return await ask(info, plan);
      } catch (error) {
        if (error instanceof ThroughlineError) throw error;
        // No thread can be had: the request is built in this one.
        return undefined;
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}

/** About how many entries a context is made from. */
function lengthOf({ head, state: { roots } }: SessionInfo): number {
  return roots.reduce((left, { from, to }) => left - (to - from), head);
}

function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function toError({ code, message, details = {} }: NonNullable<WorkerAnswer['failure']>): Error {
  return code === undefined ? new Error(message) : new ThroughlineError(code, message, { details });
}

function workerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('./context-worker.ts', import.meta.url)
    : packageFile('dist/operations/contexts/context-worker.js');
}
