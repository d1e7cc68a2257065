import { z } from 'zod';

export const WorkNameField = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is not 1 to 64 letters, digits, ".", "_" or "-"');
/** A name that is looked up: one that cannot be is refused with the names that there are. */
export const WorkReference = z.string().min(1).max(200);
export const WorkState = WorkNameField.describe(
  'A state of the workflow: `planning`, `in_dev`, `in_qa`, `in_merge`, `done` …',
);
export const WorkType = z.enum(['pm-feature', 'dev-task', 'qa-task', 'harness', 'merge']);

const Link = z.strictObject({
  session: z.string(),
  type: z.string(),
  agent: z.string(),
  state: z.string().optional(),
  at: z.number(),
  ended: z.boolean(),
});

const Move = z.strictObject({
  entry: z.string(),
  from: z.string(),
  to: z.string(),
  at: z.number(),
  by: z.string().optional(),
  reason: z.string().optional(),
});

export const TaskRecord = z
  .strictObject({
    id: z.string(),
    feature: z.string(),
    title: z.string(),
    description: z.string(),
    state: z.string(),
    dependsOn: z.array(z.string()),
    dependents: z.array(z.string()),
    next: z
      .array(z.string())
      .describe('States that it may go to now without force: by the workflow and by what it waits for.'),
    createdAt: z.number(),
    updatedAt: z.number(),
    sessions: z.array(Link),
    moves: z.array(Move),
  })
  .meta({ id: 'Task' });
export type TaskRecord = z.infer<typeof TaskRecord>;

export const FeatureRecord = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    state: z.string(),
    spec: z.string().nullable(),
    specFile: z.string().nullable(),
    folder: z.string().nullable(),
    branch: z.string().nullable(),
    createdAt: z.number(),
    updatedAt: z.number(),
    tasks: z.array(TaskRecord),
    sessions: z.array(Link),
    moves: z.array(Move),
  })
  .meta({ id: 'Feature' });
export type FeatureRecord = z.infer<typeof FeatureRecord>;

/** The `--json` of commands about one task, and about one feature. */
export const printedTask = {
  schema: TaskRecord,
  of: ({ task }: { readonly task: unknown }) => task,
};
export const printedFeature = {
  schema: FeatureRecord,
  of: ({ feature }: { readonly feature: unknown }) => feature,
};

export const WorkCheckpoint = z
  .strictObject({
    sessionId: z.string(),
    version: z.int().describe('0 before the first compaction.'),
    createdAt: z.string(),
    updatedAt: z.string(),
    summary: z.strictObject({
      completedItems: z.array(z.string()),
      pendingItems: z.array(z.string()),
      decisions: z.array(z.string()),
      blockers: z.array(z.string()),
    }),
    ralphLoop: z
      .strictObject({
        currentIteration: z.int(),
        passedChecks: z.array(z.string()),
        failedChecks: z.array(z.string()),
        lastError: z.string().optional(),
      })
      .optional(),
    tokens: z.strictObject({
      checkpoint: z.int(),
      lastCompactionInput: z.int(),
      totalSaved: z.int(),
    }),
  })
  .meta({ id: 'WorkCheckpoint' });
export type WorkCheckpoint = z.infer<typeof WorkCheckpoint>;

export const WorkSessionRecord = z
  .strictObject({
    session: z.string(),
    feature: z.string(),
    task: z.string().nullable(),
    state: z.string().nullable(),
    type: z.string(),
    agent: z.string(),
    messages: z.int(),
    updatedAt: z.number(),
    tokens: z
      .strictObject({
        role: z.int(),
        head: z.int().describe('Instructions of the session and its agent module, and facts of the project.'),
        context: z.int(),
        checkpoint: z.int(),
        messages: z.int(),
        request: z.int(),
        budget: z.int(),
      })
      .describe('What the next request would take, part by part, and what it may take.'),
    checkpoint: WorkCheckpoint,
    loop: z
      .strictObject({
        iteration: z.int(),
        passed: z.array(z.string()),
        failed: z.array(z.string()),
        lastError: z.string().nullable(),
      })
      .nullable(),
    shows: z.array(z.string()).describe('Sessions whose checkpoints it is shown.'),
  })
  .meta({ id: 'WorkSession' });
export type WorkSessionRecord = z.infer<typeof WorkSessionRecord>;

/** The `--json` of commands about one session. */
export const printedSession = {
  schema: WorkSessionRecord,
  of: ({ session }: { readonly session: unknown }) => session,
};
