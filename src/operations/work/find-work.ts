import { z } from 'zod';
import { FEATURE_WORKFLOW, TASK_WORKFLOW } from '../../project/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { Work } from '../../work/index.ts';
import { findReachable } from '../access.ts';
import type { App, Machine } from '../app.ts';
import { operation } from '../operation.ts';

/** Descriptions are made of what cannot be changed; answers are plain JSON. */
export function plain<T>(described: T): Mutable<T> {
  return described as Mutable<T>;
}

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

export async function workOfOperation({ store, access, desks }: App, name: string): Promise<Work> {
  return (await desks()).of(await findReachable(store, access, name));
}

/** The work of a session; `find` refuses a session out of reach. */
export async function workWith(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const info = await app.find(reference);
  return { work: await (await app.desks()).with(info), session: info.id };
}

/** The server keeps a lease a moment longer than it needs it, and would refuse itself. */
export async function workToWrite(app: App, reference: string): Promise<{ work: Work; session: SessionId }> {
  const found = await workWith(app, reference);
  await app.sessions.letGo(found.session);
  return found;
}

const Workflow = z.record(z.string(), z.array(z.string())).describe('Each state with those it leads to.');

export const listStates = operation({
  name: 'work/states',
  summary: 'The states of tasks and features, and where each leads.',
  params: z.strictObject({}),
  result: z.strictObject({ tasks: Workflow, features: Workflow }),
  faces: {
    help: { 'work states': 'Show the states of tasks and features, and where each leads.' },
    cli: { 'work states': 'result' },
  },
  run: (_, __: Machine) => plain({ tasks: TASK_WORKFLOW, features: FEATURE_WORKFLOW }),
});
