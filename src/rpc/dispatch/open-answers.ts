import { setTimeout as delay } from 'node:timers/promises';

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
