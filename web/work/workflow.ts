/** These have a column even when nothing is in it: they are the way that every task goes. */
const STANDARD = ['planning', 'in_dev', 'in_qa', 'in_merge', 'done'];
/** These only when something is. */
const ASIDE = ['blocked', 'cancelled'];

/** The columns of a feature, from left to right: the standard ones, then those that only a few tasks come to. */
export function columnsFor(used: readonly string[]): string[] {
  const others = [...ASIDE, ...used].filter((state) => used.includes(state) && !STANDARD.includes(state));
  return [...STANDARD, ...new Set(others)];
}

/** States that a task reaches only by force. */
export function otherStates({
  state,
  next,
}: {
  readonly state: string;
  readonly next: readonly string[];
}): string[] {
  return [...STANDARD, ...ASIDE].filter((each) => each !== state && !next.includes(each));
}

/** On its way, and not out of it. */
export function isForward(state: string): boolean {
  return STANDARD.includes(state);
}

export function isFinished(state: string): boolean {
  return state === 'done';
}

/** Nothing happens there until the task is taken up again. */
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
