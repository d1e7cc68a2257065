import { z } from 'zod';
import { SessionId } from './session-id.ts';

/** A specification is kept in the log up to this length; a longer text belongs into a file of the project. */
export const LONGEST_SPEC = 30_000;

/** Names of features, tasks and states: part of session ids and of paths, so safe in both. */
export const WorkName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'a name of a feature, task or state is 1 to 64 letters, digits, ".", "_" or "-"',
  );
export type WorkName = z.infer<typeof WorkName>;

const text = z.string().max(LONGEST_SPEC);
const by = z.string().min(1).max(200).optional();

/** New fields of a feature; other fields stay as they were, and `null` clears. */
export const WorkFeature = z.strictObject({
  kind: z.literal('work'),
  step: z.literal('feature'),
  feature: WorkName,
  name: z.string().max(200).optional(),
  spec: text.nullable().optional(),
  /** Relative to the folder of the feature. */
  specFile: z.string().max(1000).nullable().optional(),
  /** Where its files are: a separate work tree. */
  folder: z.string().max(4000).nullable().optional(),
  branch: z.string().max(400).nullable().optional(),
  removed: z.boolean().optional(),
  by,
});
export type WorkFeature = z.infer<typeof WorkFeature>;

/** New fields of a task; other fields stay as they were. */
export const WorkTask = z.strictObject({
  kind: z.literal('work'),
  step: z.literal('task'),
  feature: WorkName,
  task: WorkName,
  title: z.string().max(400).optional(),
  description: text.optional(),
  /** Tasks of the same feature that have to be done first. */
  dependsOn: z.array(WorkName).max(500).optional(),
  removed: z.boolean().optional(),
  by,
});
export type WorkTask = z.infer<typeof WorkTask>;

/** A task, or a feature where none is named, goes from one state to another. */
export const WorkMoved = z.strictObject({
  kind: z.literal('work'),
  step: z.literal('moved'),
  feature: WorkName,
  task: WorkName.optional(),
  from: WorkName,
  to: WorkName,
  reason: z.string().max(2000).optional(),
  by,
});
export type WorkMoved = z.infer<typeof WorkMoved>;

/** A session that belongs to a feature, or to a task in one of its states. */
export const WorkSession = z.strictObject({
  kind: z.literal('work'),
  step: z.literal('session'),
  feature: WorkName,
  task: WorkName.optional(),
  state: WorkName.optional(),
  session: SessionId,
  type: z.string().min(1).max(64),
  agent: z.string().min(1).max(64),
  /** No longer the one to go on with. */
  ended: z.boolean().optional(),
});
export type WorkSession = z.infer<typeof WorkSession>;

/** One step on the board of a project: its features and tasks, their states and sessions. Only boards hold them. */
export const WorkLabel = z.discriminatedUnion('step', [WorkFeature, WorkTask, WorkMoved, WorkSession]);
export type WorkLabel = z.infer<typeof WorkLabel>;

const STEPS = ['feature', 'task', 'moved', 'session'];

/** Loose, for the way out. A step that this version does not know is kept; one that it knows has to be whole. */
export const ReadableWork = z.union([
  z.discriminatedUnion('step', [
    WorkFeature.loose(),
    WorkTask.loose(),
    WorkMoved.loose(),
    WorkSession.loose(),
  ]),
  z.looseObject({ kind: z.literal('work'), step: z.string().refine((step) => !STEPS.includes(step)) }),
]);

/** Where a work loop stands after one iteration. */
export const Loop = z.strictObject({
  kind: z.literal('loop'),
  iteration: z.int().min(0),
  passed: z.array(z.string()),
  failed: z.array(z.string()),
  lastError: z.string().nullable(),
});
export type Loop = z.infer<typeof Loop>;

/** One to-do as it is from now on; a later entry with the same `id` replaces it. */
export const Todo = z.strictObject({
  kind: z.literal('todo'),
  id: z.string().min(1),
  text: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed', 'cancelled', 'removed']),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type Todo = z.infer<typeof Todo>;
