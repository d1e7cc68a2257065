import { z } from 'zod';
import {
  Anything,
  EntryIdField,
  ModelField,
  Place,
  PolicyField,
  ProjectField,
  ProviderField,
  SeqField,
  SessionField,
  TagField,
  TitleField,
} from './fields.ts';
import { method } from './method.ts';
import { SessionRecord, TurnRecord, WaitingRecord } from './records.ts';

/** Names that the server itself goes by are set by fields of their own, or not at all over RPC. */
const Settings = z
  .record(z.string().min(1).max(200), Anything)
  .describe("A host's own settings; `null` clears one.");

const Labels = {
  title: TitleField.optional(),
  project: z.string().min(1).max(1000).optional().describe('What the session belongs to.'),
  provider: ProviderField.optional(),
  model: ModelField.optional(),
  systemPrompt: z.string().max(200_000).optional().describe('Stands in front of every request.'),
  cliSessionId: z.string().min(1).max(500).optional().describe("The agent SDK's own session id."),
  compaction: PolicyField.optional(),
  settings: Settings.optional(),
};

const NewId = z.string().describe('Of the new session: the same as `session.id`.');

export interface LineageNode {
  session: z.infer<typeof SessionRecord>;
  branchedAt: number | null;
  entries: number;
  merges: { branch: string; head: number; seq: number; at: number }[];
  children: LineageNode[];
}

export const LineageNode: z.ZodType<LineageNode> = z
  .strictObject({
    session: SessionRecord,
    branchedAt: z
      .int()
      .nullable()
      .describe("The last entry it shares with its parent, or the parent's newest one when it was resumed."),
    entries: z.int().describe('How many entries are its own.'),
    merges: z.array(z.strictObject({ branch: z.string(), head: z.int(), seq: z.int(), at: z.number() })),
    get children() {
      return z.array(LineageNode).describe('Oldest first.');
    },
  })
  .meta({ id: 'LineageNode' });

export const chatSession = {
  'chat/session/create': method({
    summary: 'Starts a session.',
    writes: true,
    fails: ['session-exists', 'session-gone', 'session-id-invalid'],
    params: z.strictObject({
      id: z.string().min(1).max(128).optional().describe('Made from the agent and the time if not given.'),
      agent: z.string().min(1).max(200).optional(),
      tags: z.array(TagField).max(100).default([]),
      ...Labels,
    }),
    result: z.strictObject({ id: NewId, session: SessionRecord }),
  }),
  'chat/session/open': method({
    summary:
      'The session with exactly this id; started now, with the other fields, if there is none. Any number of first calls at once give one session.',
    writes: true,
    fails: ['session-exists', 'session-gone', 'session-id-invalid'],
    params: z.strictObject({
      id: z.string().min(1).max(128).describe('Of your own: one for each user, for example.'),
      agent: z.string().min(1).max(200).optional(),
      tags: z.array(TagField).max(100).default([]),
      ...Labels,
    }),
    result: z.strictObject({
      id: NewId,
      session: SessionRecord,
      created: z
        .boolean()
        .describe('Whether this call started it. If not, the other fields changed nothing.'),
    }),
  }),
  'chat/session/list': method({
    summary: 'Sessions, the one that something was last said in first, a page at a time.',
    params: z.strictObject({
      limit: z.int().min(1).max(200).default(50),
      cursor: z.string().max(1000).optional().describe('From the previous page.'),
      place: Place.default('active'),
      project: z
        .string()
        .max(1000)
        .optional()
        .describe('Its id or the start of it, its name, one of its folders, or what sessions call it.'),
      find: z
        .string()
        .min(1)
        .max(200)
        .optional()
        .describe('Words that are part of the title or of a tag, whatever their case and accents.'),
      tag: TagField.optional(),
      agent: z.string().max(200).optional(),
      parent: SessionField.optional().describe('Only what was forked or resumed from this session.'),
    }),
    result: z.strictObject({
      sessions: z.array(SessionRecord),
      cursor: z.string().nullable().describe('For the next page; `null` on the last.'),
    }),
  }),
  'chat/session/get': method({
    summary: 'One session.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({
      session: SessionRecord,
      waiting: z
        .array(WaitingRecord)
        .describe('What was said while an answer was being written and is answered next, oldest first.'),
      turn: TurnRecord.nullable().describe(
        'The newest turn that was begun; `null` if nothing was asked yet.',
      ),
      steering: z
        .array(WaitingRecord)
        .describe(
          'Messages that `turn/steer` handed in to that turn and that the model was not given yet, oldest first.',
        ),
    }),
  }),
  'chat/session/update': method({
    summary:
      'Changes what a session is called, where it is kept and what it is run with. Only the fields that are given.',
    writes: true,
    params: z.strictObject({
      sessionId: SessionField,
      ...Labels,
      title: TitleField.optional().describe('An empty one clears it.'),
      addTags: z.array(TagField).max(100).default([]),
      removeTags: z.array(TagField).max(100).default([]),
      place: Place.optional().describe('`trashed` puts it into the trash, `active` brings it back.'),
      provider: ProviderField.nullable().optional(),
      model: ModelField.nullable().optional(),
      systemPrompt: z.string().max(200_000).nullable().optional(),
      cliSessionId: z.string().min(1).max(500).nullable().optional(),
      compaction: PolicyField.nullable().optional(),
    }),
    result: z.strictObject({ session: SessionRecord }),
  }),
  'chat/session/delete': method({
    summary: 'Puts a session into the trash, whole. With `purge`, deletes one that is in the trash for good.',
    writes: true,
    fails: ['session-not-trashed', 'session-has-forks', 'lease-held'],
    params: z.strictObject({ sessionId: SessionField, purge: z.boolean().default(false) }),
    result: z.strictObject({ id: z.string(), deleted: z.literal(true), purged: z.boolean() }),
  }),
  'chat/session/fork': method({
    summary:
      'A new session that shares the log up to an entry. Nothing is copied and the parent does not change.',
    writes: true,
    fails: ['session-exists', 'session-id-invalid', 'entry-not-found'],
    params: z.strictObject({
      sessionId: SessionField,
      at: z
        .union([SeqField, EntryIdField])
        .optional()
        .describe('The last entry both share, by number or id; the newest one if not given.'),
      id: z.string().min(1).max(128).optional(),
      title: TitleField.optional(),
    }),
    result: z.strictObject({ id: NewId, session: SessionRecord }),
  }),
  'chat/session/lineage': method({
    summary: 'The whole family of a session: where it came from, and what was forked, resumed and merged.',
    params: z.strictObject({ sessionId: SessionField }),
    result: z.strictObject({
      sessionId: z.string(),
      missing: z.string().nullable().describe('The parent that the eldest names, if that was purged.'),
      root: LineageNode,
    }),
  }),
  'chat/session/tags': method({
    summary: 'Every tag in use, with how many of the newest sessions have it.',
    params: z.strictObject({ project: ProjectField.optional() }),
    result: z.strictObject({ tags: z.array(z.strictObject({ tag: z.string(), sessions: z.int() })) }),
  }),
} as const;
