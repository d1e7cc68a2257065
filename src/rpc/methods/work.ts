import { z } from 'zod';
import { NewIdField, ProjectField, SessionField } from '../../operations/index.ts';
import { method } from './method.ts';

const Name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'is not 1 to 64 letters, digits, ".", "_" or "-"');
const State = Name.describe('A state of the workflow: `planning`, `in_dev`, `in_qa`, `in_merge`, `done` …');
const Type = z.enum(['pm-feature', 'dev-task', 'qa-task', 'harness', 'merge']);

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

const TaskRecord = z
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

const FeatureRecord = z
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

const WorkCheckpoint = z
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

const WorkSessionRecord = z
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

export const work = {
  'work/features': method({
    summary: 'The board of a project: its features with their tasks, states and sessions.',
    params: z.strictObject({ project: ProjectField }),
    result: z.strictObject({ features: z.array(FeatureRecord) }),
  }),
  'work/feature/set': method({
    summary: 'Adds a feature, or changes one. What is not named stays as it is.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      feature: Name,
      name: z.string().max(200).optional(),
      spec: z.string().max(30_000).nullable().optional(),
    }),
    result: z.strictObject({ feature: FeatureRecord }),
  }),
  'work/tasks': method({
    summary: 'The tasks of a feature, or of all features of a project.',
    params: z.strictObject({ project: ProjectField, feature: Name.optional() }),
    result: z.strictObject({ tasks: z.array(TaskRecord) }),
  }),
  'work/task/set': method({
    summary: 'Adds a task to a feature, or changes one. What is not named stays as it is.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      feature: Name,
      task: Name,
      title: z.string().max(400).optional(),
      description: z.string().max(30_000).optional(),
      dependsOn: z.array(Name).max(500).optional(),
    }),
    result: z.strictObject({ task: TaskRecord }),
  }),
  'work/task/move': method({
    summary:
      'Moves a task to another state. A step that the workflow does not have is refused, unless forced.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      feature: Name,
      task: Name,
      to: State,
      reason: z.string().max(2000).optional(),
      force: z.boolean().default(false),
    }),
    result: z.strictObject({ task: TaskRecord }),
  }),
  'work/sessions': method({
    summary:
      'The sessions of a feature or a task, with what their next request would take and how their work stands.',
    params: z.strictObject({
      project: ProjectField,
      feature: Name,
      task: Name.optional(),
      state: State.optional(),
    }),
    result: z.strictObject({ sessions: z.array(WorkSessionRecord) }),
  }),
  'work/session/open': method({
    summary: 'Gives the session to work in: the active one of the place, or a new one.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      type: Type,
      feature: Name,
      task: Name.optional(),
      state: State.optional(),
    }),
    result: z.strictObject({ session: WorkSessionRecord }),
  }),
  'work/message/add': method({
    summary: 'Adds a message to a session, and compacts it if its next request would be over the budget.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      id: NewIdField,
    }),
    result: z.strictObject({ id: z.string(), seq: z.int(), requestTokens: z.int(), budget: z.int() }),
  }),
  'work/checkpoint': method({
    summary: 'How the work of a session stands, as orchestrators store it, with the tokens that were saved.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({ checkpoint: WorkCheckpoint }),
  }),
  'work/request': method({
    summary:
      'The whole request for the next question: role, context, checkpoint, recent conversation. Always under the budget; compacts first if it would not be.',
    writes: true,
    params: z.strictObject({ sessionId: SessionField, question: z.string().min(1) }),
    result: z.strictObject({
      systemPrompt: z.string(),
      userPrompt: z.string(),
      totalTokens: z.int(),
      budget: z.int(),
    }),
  }),
} as const;
