import { z } from 'zod';
import {
  CompactionPolicy,
  hostSettings,
  isSummarised,
  placeOf,
  type SessionInfo,
} from '../../record/index.ts';
import { describeSession, titleInChain } from '../../session/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { Anything, Place, UsageField } from '../fields.ts';
import { ownConversation } from './own-conversation.ts';

// Fields are added to records, never changed: clients rely on them.

/** A session as `--json` of every command shows it. */
export const SessionDescriptionRecord = z.strictObject({
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
export type SessionDescriptionRecord = z.infer<typeof SessionDescriptionRecord>;

export const SessionRecord = SessionDescriptionRecord.extend({
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
  usage: UsageField.describe("Of the session's own model calls."),
}).meta({ id: 'Session' });
export type SessionRecord = z.infer<typeof SessionRecord>;

const DESCRIBED = Object.keys(SessionDescriptionRecord.shape) as (keyof SessionDescriptionRecord)[];

/** The part of a record that is its description. */
export function describedSession(session: SessionRecord): SessionDescriptionRecord {
  return Object.fromEntries(DESCRIBED.map((field) => [field, session[field]])) as SessionDescriptionRecord;
}

/** A session as the caller may see it: a parent out of reach does not exist for it, so it is not named either. */
export async function showSession(
  { store, access }: Pick<App, 'store' | 'access'>,
  info: SessionInfo,
): Promise<SessionRecord> {
  const reaches = (other: SessionInfo) => reachesSession(store, access, other);
  const record = {
    ...toSession(info),
    title: await titleInChain(store, info, reaches),
    cliSessionId: await ownConversation(store, info),
  };
  if (access.projects === null || record.parent === null) return record;
  const parent = await store.session(record.parent);
  if (parent && (await reaches(parent))) return record;
  return { ...record, parent: null, relation: null };
}

function toSession(info: SessionInfo): Omit<SessionRecord, 'cliSessionId'> {
  const { settings } = info.state;
  const { tags, ...described } = describeSession(info);
  return {
    ...described,
    tags: [...tags],
    place: placeOf(info.state),
    head: info.head,
    summarised: isSummarised(info.state),
    provider: settings.provider ?? null,
    model: settings.model ?? null,
    systemPrompt: settings.systemPrompt ?? null,
    compaction: CompactionPolicy.parse(settings.compaction ?? 'balanced'),
    askFirst: settings.askFirst ?? false,
    settings: hostSettings(info.state),
    usage: { ...info.usage },
  };
}
