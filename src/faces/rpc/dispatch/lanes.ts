import { setTimeout as delay } from 'node:timers/promises';
import { refused } from '../../../operations/index.ts';
import type { MethodName } from '../methods/index.ts';

/**
 * Messages of one session are written in the order they came, also when the caller does not wait for the answers. Once the
 * store has been asked to write, the next may ask too: it keeps the order, and writes that wait together share a commit.
 */
const IN_ORDER: ReadonlySet<MethodName> = new Set(['chat/message/add', 'ai/session/send']);

/** So many calls are carried out at once; beyond that they wait, and beyond that they are turned away. */
const AT_ONCE = 256;
const MOST_WAITING = 4096;

export interface Lanes {
  run<T>(name: MethodName, params: unknown, work: (handedOver: HandOver) => Promise<T>): Promise<T>;
}

/**
 * To be called when the store has been asked to write: the next call of the session may begin. `isWaiting`: the rest of
 * the call only waits for a turn, so it gives its place among the calls that are carried out at once to another.
 */
type HandOver = (options?: { readonly isWaiting?: boolean }) => void;

export function createLanes({ atOnce = AT_ONCE, mostWaiting = MOST_WAITING } = {}): Lanes {
  const lanes = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function withRoom<T>(work: (leave: () => void) => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw refused('server-busy', 'The server has too much to do. Try again in a moment.', {
          limit: mostWaiting,
        });
      await new Promise<void>((go) => waiting.push(go));
    } else running++;
    let isHere = true;
    const leave = () => {
      if (!isHere) return;
      isHere = false;
      // A call that waits takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running--;
    };
    try {
      return await work(leave);
    } finally {
      leave();
    }
  }

  return {
    run(name, params, work) {
      if (!IN_ORDER.has(name))
        return withRoom((leave) => work(({ isWaiting = false } = {}) => isWaiting && leave()));
      const lane = laneOf(params);
      const before = lanes.get(lane);
      const { promise: free, resolve } = Promise.withResolvers<void>();
      const start = () =>
        withRoom((leave) =>
          work(({ isWaiting = false } = {}) => {
            resolve();
            if (isWaiting) leave();
          }),
        );
      const result = before ? before.then(start) : start();
      result.then(
        () => resolve(),
        () => resolve(),
      );
      lanes.set(lane, free);
      void free.then(() => {
        if (lanes.get(lane) === free) lanes.delete(lane);
      });
      return result;
    },
  };
}

function laneOf(params: unknown): string {
  const { sessionId, storageSessionId } = params as { sessionId?: string; storageSessionId?: string };
  return storageSessionId ?? sessionId ?? '';
}

/** Requests in one batch. */
export const MOST_IN_BATCH = 100;
/** How deep a request may be nested: whatever walks it afterwards does so on the stack. */
export const MOST_NESTING = 200;

/** Answers that callers still wait for. */
export interface OpenAnswers {
  add(answer: Promise<unknown>): void;
  /** Once there is none left, but no longer than a moment: for a server that stops. */
  last(): Promise<void>;
}

/** So long after a signal to stop, answers that are ready are still written. */
export const LAST_ANSWERS_MS = 1_000;

export function createOpenAnswers(): OpenAnswers {
  const open = new Set<Promise<unknown>>();
  return {
    add(answer) {
      const tracked: Promise<unknown> = answer
        .catch(() => {})
        .finally(() => {
          open.delete(tracked);
        });
      open.add(tracked);
    },
    async last() {
      await Promise.race([Promise.all(open), delay(LAST_ANSWERS_MS, undefined, { ref: false })]);
    },
  };
}

/** Whether JSON text is nested deeper than that. Text inside strings does not count. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at = endOfString(text, at);
      if (at < 0) return false;
    } else if (code === 0x7b || code === 0x5b) {
      if (++depth > MOST_NESTING) return true;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return false;
}

/** Where the string that begins at `start` ends; -1 if it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}
