import type { CheckOutcome, LoopOptions, WorkRequest } from '../../src/work/index.ts';

export interface ScriptedLoop extends LoopOptions {
  readonly requests: WorkRequest[];
  /** What was applied, in order. */
  readonly applied: string[];
}

/** An agent that gets everything right in its `last` iteration, and says something worth keeping in its third. */
export function scriptedLoop(last: number, options: Partial<LoopOptions> = {}): ScriptedLoop {
  const requests: WorkRequest[] = [];
  const applied: string[] = [];
  const script: LoopOptions = {
    maxIterations: last,
    prompt: (iteration, before) =>
      before
        ? `Mend ${before.failed.join(' and ')}. This is try ${iteration}.`
        : 'Make build, lint and test pass.',
    async ask(request, { iteration }) {
      requests.push(request);
      return answer(iteration);
    },
    async apply(text) {
      applied.push(text.split('\n')[0]!);
    },
    check: async ({ iteration }) => outcome(iteration, last),
    ...options,
  };
  // A loop takes its options alone: what was seen stands beside them.
  return Object.defineProperties(script as ScriptedLoop, {
    requests: { value: requests },
    applied: { value: applied },
  });
}

export const DECISION = 'sessions live in Redis and not in cookies.';
export const BLOCKER = 'the staging key has expired, and only Bo can renew it.';

function answer(iteration: number): string {
  const stated = iteration === 3 ? [`Decision: ${DECISION}`, `Blocker: ${BLOCKER}`] : [];
  const now = iteration % 7 === 0 ? [`Decision: module ${iteration} is built by plan ${iteration}.`] : [];
  const log = `FAIL src/part-${iteration}.test.ts > line ${iteration * 3} expected ${iteration} to be ${iteration + 1}`;
  return [`I changed src/part-${iteration}.ts.`, ...stated, ...now, ...Array<string>(6).fill(log)].join('\n');
}

function outcome(iteration: number, last: number): CheckOutcome {
  if (iteration === last) return { passed: ['build', 'lint', 'test'], failed: [] };
  return {
    passed: ['build'],
    failed: ['lint', 'test'],
    lastError: `AssertionError: part ${iteration} is wrong`,
  };
}
