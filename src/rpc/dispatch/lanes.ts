import { refused } from '../error-codes.ts';
import type { MethodName } from '../methods/index.ts';

/**
 * What is said in one session is written down in the order it came, also when nobody waits for the answers. Once the store
 * has been asked to write, the next may ask too: it keeps the order, and writes that wait together share a commit.
 */
const IN_ORDER: ReadonlySet<MethodName> = new Set(['chat/message/add', 'ai/session/send']);

/** So many calls are carried out at once; beyond that they wait, and beyond that they are turned away. */
const AT_ONCE = 256;
const MOST_WAITING = 4096;

export interface Lanes {
  run<T>(name: MethodName, params: unknown, work: (handedOver: () => void) => Promise<T>): Promise<T>;
}

export function createLanes({ atOnce = AT_ONCE, mostWaiting = MOST_WAITING } = {}): Lanes {
  const lanes = new Map<string, Promise<unknown>>();
  const waiting: (() => void)[] = [];
  let running = 0;

  async function withRoom<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting)
        throw refused('server-busy', 'The server has too much to do. Try again in a moment.', {
          limit: mostWaiting,
        });
      await new Promise<void>((go) => waiting.push(go));
    } else running++;
    try {
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    run(name, params, work) {
      if (!IN_ORDER.has(name)) return withRoom(() => work(() => {}));
      const lane = laneOf(params);
      const before = lanes.get(lane);
      const { promise: free, resolve } = Promise.withResolvers<void>();
      const handedOver = () => resolve();
      const start = () => withRoom(() => work(handedOver));
      const result = before ? before.then(start) : start();
      result.then(handedOver, handedOver);
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
