import { ThroughlineError } from '../../errors.ts';

/** Which states may follow a state. A state that is no key is the end. */
type Workflow = Readonly<Record<string, readonly string[]>>;

/** Where every task and every feature begins. */
export const START = 'planning';

/** QA sends back to dev, a merge that fails goes back too, and a blocked task continues from its former state. */
export const TASK_WORKFLOW: Workflow = {
  planning: ['in_dev', 'blocked', 'cancelled'],
  in_dev: ['in_qa', 'planning', 'blocked', 'cancelled'],
  in_qa: ['in_merge', 'in_dev', 'done', 'blocked', 'cancelled'],
  in_merge: ['done', 'in_dev', 'blocked', 'cancelled'],
  done: ['in_dev'],
  blocked: ['planning', 'in_dev', 'in_qa', 'in_merge', 'cancelled'],
  cancelled: ['planning'],
};

export const FEATURE_WORKFLOW: Workflow = {
  planning: ['in_progress', 'cancelled'],
  in_progress: ['in_merge', 'planning', 'done', 'cancelled'],
  in_merge: ['done', 'in_progress', 'cancelled'],
  done: ['in_progress'],
  cancelled: ['planning'],
};

/** States in which the tasks that wait for this one may begin. */
export const FINISHED: ReadonlySet<string> = new Set(['done']);
/** States that need what they depend on to be there. */
export const STARTED: ReadonlySet<string> = new Set(['in_dev', 'in_qa', 'in_merge', 'done']);

/** Refuses a step that the workflow does not have, and says which it has. */
export function checkMove(
  workflow: Workflow,
  { what, from, to }: { what: string; from: string; to: string },
): void {
  const next = workflow[from] ?? [];
  if (next.includes(to)) return;
  const known = Object.hasOwn(workflow, to);
  const choice = next.length === 0 ? 'That is the end of it' : `From there it goes to ${next.join(', ')}`;
  throw new ThroughlineError(
    'transition-refused',
    `${what} is in "${from}" and cannot go to "${to}"${known ? '' : ', which is no state here'}. ${choice}; with force it goes anywhere that is a state.`,
    { details: { from, to, next } },
  );
}
