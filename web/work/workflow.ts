/**
 * Where a task goes from each state. The server decides, by the board as it is then; this is what is offered here, in the
 * order of the columns. A test compares the two.
 */
export const NEXT_STATES: Readonly<Record<string, readonly string[]>> = {
  planning: ['in_dev', 'blocked', 'cancelled'],
  in_dev: ['in_qa', 'planning', 'blocked', 'cancelled'],
  in_qa: ['in_merge', 'in_dev', 'done', 'blocked', 'cancelled'],
  in_merge: ['done', 'in_dev', 'blocked', 'cancelled'],
  done: ['in_dev'],
  blocked: ['planning', 'in_dev', 'in_qa', 'in_merge', 'cancelled'],
  cancelled: ['planning'],
};

/** These have a column even when nothing is in it: they are the way that every task goes. */
const STANDARD = ['planning', 'in_dev', 'in_qa', 'in_merge', 'done'];

/** The columns of a feature, from left to right: the standard ones, then those that only a few tasks come to. */
export function columnsFor(used: readonly string[]): string[] {
  const others = [...Object.keys(NEXT_STATES), ...used].filter(
    (state) => used.includes(state) && !STANDARD.includes(state),
  );
  return [...STANDARD, ...new Set(others)];
}

export function isFinished(state: string): boolean {
  return state === 'done';
}

/** Nothing is going to happen there unless somebody takes it up again. */
export function isClosed(state: string): boolean {
  return state === 'done' || state === 'cancelled';
}

/** `in_qa` → "In QA". */
export function sayState(state: string): string {
  const words = state
    .replaceAll(/[_-]+/g, ' ')
    .trim()
    .replace(/\bqa\b/i, 'QA');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
