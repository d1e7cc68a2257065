import { isThroughlineError, type ThroughlineError } from '../../../errors.ts';
import { refused } from '../../../operations/index.ts';
import type { MethodName } from '../methods/index.ts';

// The longest wait of a caller. A step of the store is whole or not at all, so nothing is cut off in the middle: what has
// begun goes on to its end, and what it stores is stored; what has not begun by then does not begin.

export interface TimeLimit {
  /** Asks for the result of `begin` until the time is over. */
  run<T>(
    name: MethodName,
    begin: (start: () => void) => Promise<T>,
    onLate: (error: unknown) => void,
  ): Promise<T>;
}

/** From now on, for everything that one text asks for. */
export function startTimeLimit(ms: number): TimeLimit {
  const endsAt = performance.now() + ms;
  let isOver = false;

  return {
    run(name, begin, onLate) {
      if (isPatient(name)) return begin(() => {});
      const left = endsAt - performance.now();
      if (isOver || left <= 0) return Promise.reject(tooLate(ms, { begun: false }));
      let begun = false;
      const work = begin(() => {
        if (isOver) throw tooLate(ms, { begun });
        begun = true;
      });
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          isOver = true;
          reject(tooLate(ms, { begun }));
        }, left);
        work.then(
          (result) => {
            clearTimeout(timer);
            resolve(result);
          },
          (error: unknown) => {
            clearTimeout(timer);
            if (isOver && !isThroughlineError(error)) onLate(error);
            reject(error);
          },
        );
      });
    },
  };
}

/** These may wait for a model, which has its limits. */
function isPatient(name: MethodName): boolean {
  return name.startsWith('ai/') || name.startsWith('turn/');
}

function tooLate(ms: number, { begun }: { begun: boolean }): ThroughlineError {
  const seconds = ms / 1000;
  return refused(
    'request-timeout',
    begun
      ? `The server has not finished after ${seconds} seconds. It goes on with it, and what it writes down stays: look before you ask again, or repeat it with the same id.`
      : `The server did not come to it within ${seconds} seconds, and has not begun. Try again in a moment.`,
    { seconds, begun },
  );
}
