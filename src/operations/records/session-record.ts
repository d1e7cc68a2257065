import { z } from 'zod';
import { CompactionPolicy } from '../../record/index.ts';
import { Anything, Place, Usage } from '../fields.ts';

// Fields are added to records, never changed: clients rely on them.

/** A session as `--json` of every command shows it. */
export const SessionDescription = z.strictObject({
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
});
export type SessionDescription = z.infer<typeof SessionDescription>;

export const SessionRecord = SessionDescription.extend({
  place: Place,
  head: z.int().describe('The newest entry: a cursor to watch from.'),
  summarised: z.boolean().describe('Whether it has a summary, and so a checkpoint.'),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  cliSessionId: z.string().nullable().describe("The agent SDK's own session id, for sessions that it keeps."),
  systemPrompt: z.string().nullable(),
  compaction: CompactionPolicy.describe('When and how it is compacted by itself.'),
  askFirst: z.boolean().describe('A draft is written instead, and waits to be approved.'),
  settings: z
    .record(z.string(), Anything)
    .describe(
      "A host's own settings, by name. Nothing here goes by them. A value over 32 KB is a reference (`$blob`).",
    ),
  usage: Usage.describe("Of the session's own model calls."),
}).meta({ id: 'Session' });
export type SessionRecord = z.infer<typeof SessionRecord>;

const DESCRIBED = Object.keys(SessionDescription.shape) as (keyof SessionDescription)[];

/** The part of a record that is its description. */
export function describedSession(session: SessionRecord): SessionDescription {
  return Object.fromEntries(DESCRIBED.map((field) => [field, session[field]])) as SessionDescription;
}
