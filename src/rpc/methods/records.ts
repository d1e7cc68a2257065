import { z } from 'zod';
import { CompactionPolicy, PartShape } from '../../record/index.ts';
import { EntryBodySchema } from './entry-body.ts';
import { Anything, Place, Role, Usage } from './fields.ts';

// What results are made of. Fields are added, never changed: clients rely on them.

export const SessionRecord = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    agent: z.string().nullable(),
    project: z.string().nullable(),
    parent: z.string().nullable(),
    relation: z.enum(['fork', 'resume']).nullable(),
    messages: z.int(),
    queries: z.int().describe('User messages.'),
    tokens: z.int(),
    tags: z.array(z.string()),
    createdAt: z.number().describe('Milliseconds since 1970.'),
    updatedAt: z.number(),
    place: Place,
    head: z.int().describe('The newest entry: a cursor to watch from.'),
    provider: z.string().nullable(),
    model: z.string().nullable(),
    cliSessionId: z
      .string()
      .nullable()
      .describe("The agent SDK's own session id, for sessions that it keeps."),
    systemPrompt: z.string().nullable(),
    compaction: CompactionPolicy.describe('When and how it is compacted by itself.'),
    usage: Usage.describe("Of the session's own model calls."),
  })
  .meta({ id: 'Session' });
export type SessionRecord = z.infer<typeof SessionRecord>;

export const MessageRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    seq: z.int(),
    role: Role,
    content: z.string().describe('Its text.'),
    parts: z
      .array(PartShape)
      .describe(
        'As they were stored. A value over 32,768 characters is a `BlobRef`; `chat/message/get` gives it whole.',
      ),
    status: z.enum(['complete', 'interrupted']),
    model: z.string().nullable(),
    usage: Usage.nullable(),
    durationMs: z.number().nullable(),
    tokens: z.int(),
    createdAt: z.number(),
    isActive: z
      .boolean()
      .describe('Whether it is in the context itself: not compacted, excluded or removed.'),
    compactedIntoId: z
      .string()
      .nullable()
      .describe('The compaction that stands in for it, or that would if it were collapsed.'),
    pinned: z.boolean(),
    excluded: z.boolean(),
    meta: z.record(z.string(), Anything).nullable(),
  })
  .meta({ id: 'Message' });
export type MessageRecord = z.infer<typeof MessageRecord>;

export const WaitingRecord = z
  .strictObject({
    id: z.string().describe('The id that the message will have.'),
    content: z.string().describe('Its text.'),
    createdAt: z.number(),
  })
  .meta({ id: 'Waiting' });
export type WaitingRecord = z.infer<typeof WaitingRecord>;

export const TurnRecord = z
  .strictObject({
    id: z.string().describe('The id of its question.'),
    status: z
      .enum(['waiting', 'running', 'complete', 'interrupted', 'failed', 'step-limit'])
      .describe('The last three have no whole answer: `turn/retry` asks again.'),
    seq: z.int().nullable().describe('The entry of the question; `null` while it waits.'),
    question: z.string().describe('How the question begins.'),
    askedAt: z
      .number()
      .describe(
        'When the question became an entry of the log, in milliseconds since 1970; while it waits, when it was accepted.',
      ),
    beganAt: z.number().nullable(),
    endedAt: z.number().nullable(),
    attempts: z.int().describe('How often it was begun.'),
    answer: z.string().nullable().describe('The id of the newest answer, whole or not.'),
    model: z.string().nullable(),
    answers: z.int().describe('Model calls that ended in a whole answer.'),
    usage: Usage,
    cutBy: z
      .enum(['person', 'shutdown', 'crash', 'provider'])
      .nullable()
      .describe('What cut an interrupted turn, if the log tells.'),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable().describe('Why it failed.'),
  })
  .meta({ id: 'Turn' });
export type TurnRecord = z.infer<typeof TurnRecord>;

export const Author = z.looseObject({
  kind: z.enum(['digest', 'model', 'person', 'import']),
  model: z.string().optional(),
  version: z.string().optional(),
});

export const Covers = z.strictObject({ from: z.int(), to: z.int() });

export const CompactionRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    summary: z.string().describe('Markdown that begins with `## Conversation Summary`.'),
    startMessageId: z.string().nullable().describe('The first compacted message.'),
    endMessageId: z.string().nullable().describe('The last one.'),
    messagesCompacted: z.int(),
    originalTokenCount: z.int(),
    compressedTokenCount: z.int(),
    createdAt: z.number(),
    seq: z.int(),
    level: z.int().describe('1 covers messages; a higher one stands in for its children.'),
    covers: Covers.describe('The entries that it stands in for; the place of its card in the timeline.'),
    children: z.array(z.string()),
    status: z
      .enum(['collapsed', 'expanded', 'covered'])
      .describe(
        '`collapsed`: the model sees its summary. `expanded`: what is under it. `covered`: a higher one stands in for it.',
      ),
    isActive: z.boolean().describe('Whether its summary is in the context now.'),
    retention: z
      .number()
      .describe('Share of the paths, names and figures that the summary still has, 0 to 1.'),
    by: Author,
  })
  .meta({ id: 'Compaction' });
export type CompactionRecord = z.infer<typeof CompactionRecord>;

export const DocumentRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    title: z.string(),
    content: Anything,
    mediaType: z.string().nullable(),
    meta: z.record(z.string(), Anything).nullable(),
    updatedAt: z.number(),
  })
  .meta({ id: 'Document' });
export type DocumentRecord = z.infer<typeof DocumentRecord>;

export const TodoStatus = z.enum(['pending', 'in_progress', 'completed', 'cancelled']);

export const TodoRecord = z
  .strictObject({
    id: z.string(),
    sessionId: z.string(),
    text: z.string(),
    status: TodoStatus,
    meta: z.record(z.string(), Anything).nullable(),
    updatedAt: z.number(),
  })
  .meta({ id: 'Todo' });
export type TodoRecord = z.infer<typeof TodoRecord>;

/** An entry as it stands in the log. */
export const EntryRecord = z
  .strictObject({
    id: z.string(),
    seq: z.int(),
    at: z.number(),
    tokens: z.int(),
    body: EntryBodySchema,
  })
  .meta({ id: 'Entry' });
export type EntryRecord = z.infer<typeof EntryRecord>;

export const ContextPart = z.strictObject({ part: z.string(), tokens: z.int() });

export const LeftOut = z.strictObject({
  what: z.string(),
  entries: z.int(),
  tokens: z.int(),
  reason: z.string(),
});
