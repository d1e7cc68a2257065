import { z } from 'zod';
import { newestTurn } from '../../agent/index.ts';
import { placeOf, type SessionInfo } from '../../record/index.ts';
import { labelSession, listCandidates, purgeSession, titleInChain } from '../../session/index.ts';
import { isShown, projectFor } from '../access.ts';
import {
  AskFirstField,
  ModelField,
  Place,
  PolicyField,
  ProviderField,
  SessionField,
  TagField,
  TitleField,
} from '../fields.ts';
import { operation, type Projection } from '../operation.ts';
import { listSteering, listWaiting } from '../records/list-waiting.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';
import { TurnAnswerRecord, WaitingRecord } from '../records/turn-record.ts';
import { LabelFields, settingsIn } from './label-fields.ts';

export const getSessionOperation = operation({
  name: 'chat/session/get',
  summary: 'One session.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    session: SessionRecord,
    waiting: z
      .array(WaitingRecord)
      .describe('What was said while an answer was being written and is answered next, oldest first.'),
    turn: TurnAnswerRecord.nullable().describe(
      'The newest turn that was begun; `null` if nothing was asked yet.',
    ),
    steering: z
      .array(WaitingRecord)
      .describe(
        'Messages that `turn/steer` handed in to that turn and that the model was not given yet, oldest first.',
      ),
  }),
  faces: { rpc: true },
  async run({ sessionId }, app) {
    const info = await app.find(sessionId);
    const turn = await newestTurn(app.store, info);
    return {
      session: await showSession(app, info),
      waiting: await listWaiting(app.store, info),
      turn: turn ? { ...turn } : null,
      steering: await listSteering(app.store, info, turn),
    };
  },
});

const Candidate = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    updatedAt: z.number(),
    place: Place,
    by: z
      .enum(['id', 'number', 'title', 'prefix'])
      .describe(
        '`id`: its whole id. `number`: a line of `list`. `title`: its title or first question. `prefix`: the start of its id.',
      ),
  })
  .meta({ id: 'Candidate' });

export const findSessionOperation = operation({
  name: 'session/find',
  summary:
    'Looks up the session that a person means by an id, the start of one, a title, a first question, or a number of their list. Every other method takes exact ids.',
  params: z.strictObject({
    text: z.string().min(1).max(10_000).describe('As it was typed or pasted.'),
    limit: z.int().min(1).max(50).default(10),
    trashed: z.boolean().default(false).describe('Look in the trash too; an exact id is found there anyway.'),
    list: z
      .array(z.string().max(200))
      .max(1000)
      .optional()
      .describe('The ids of a numbered list that the person sees: `2` is its second line.'),
  }),
  result: z.strictObject({
    match: z.string().nullable().describe('The id, if exactly one session fits.'),
    candidates: z
      .array(Candidate)
      .describe('An exact id stands alone. Otherwise the line of the list, then the newest first.'),
    more: z.boolean().describe('More sessions fit than are listed.'),
  }),
  faces: { rpc: true },
  async run({ text, limit, trashed, list }, { store, access }) {
    const reaches = (info: SessionInfo) => isShown(store, access, info);
    const { candidates, more } = await listCandidates(store, text, {
      limit,
      trashed,
      ...(list && { list }),
      reaches,
      tombstones: access.projects === null,
    });
    return {
      match: candidates.length === 1 && !more ? candidates[0]!.info.id : null,
      candidates: await Promise.all(
        candidates.map(async ({ info, by }) => ({
          id: info.id,
          title: await titleInChain(store, info, reaches),
          updatedAt: info.updatedAt,
          place: placeOf(info.state),
          by,
        })),
      ),
      more,
    };
  },
});

const result = z.strictObject({ session: SessionRecord });
type Updated = z.output<typeof result>;

const described = {
  schema: SessionDescriptionRecord,
  of: ({ session }: Updated) => describedSession(session),
} satisfies Projection<Updated>;

const moved = {
  schema: SessionDescriptionRecord.extend({ place: Place }),
  each: true,
  of: ({ session }: Updated) => ({ ...describedSession(session), place: session.place }),
} satisfies Projection<Updated>;

export const updateSession = operation({
  name: 'chat/session/update',
  summary:
    'Changes the title, the tags, the place and the settings of a session. Only the fields that are given.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    ...LabelFields,
    title: TitleField.optional().describe('An empty one clears it.'),
    addTags: z.array(TagField).max(100).default([]),
    removeTags: z.array(TagField).max(100).default([]),
    place: Place.optional().describe('`trashed` puts it into the trash, `active` brings it back.'),
    provider: ProviderField.nullable().optional(),
    model: ModelField.nullable().optional(),
    systemPrompt: z.string().max(200_000).nullable().optional(),
    cliSessionId: z.string().min(1).max(500).nullable().optional(),
    compaction: PolicyField.nullable().optional(),
    askFirst: AskFirstField.nullable().optional(),
  }),
  result,
  faces: {
    help: {
      title: 'Give a session a title.',
      tag: 'Add tags to sessions, take tags off, or list the tags they have.',
      hide: 'Take sessions out of the list.',
      trash: 'Put sessions into the trash.',
      restore: 'Bring sessions back that were hidden or put into the trash.',
    },
    rpc: true,
    cli: {
      title: described,
      tag: { ...described, each: true },
      hide: moved,
      trash: moved,
      restore: moved,
    },
  },
  async run({ sessionId, title, project, addTags, removeTags, place, ...fields }, app) {
    const { store, access, find } = app;
    const info = await find(sessionId);
    const owner = project === undefined ? undefined : projectFor(access, project);
    await labelSession(store, info, {
      ...(title !== undefined && { title }),
      ...(owner !== undefined && { project: owner }),
      settings: await settingsIn(access, fields, { known: info.state.settings }),
      addTags,
      removeTags,
      ...(place !== undefined && { place }),
    });
    return { session: await showSession(app, (await store.session(info.id))!) };
  },
});

export const deleteSession = operation({
  name: 'chat/session/delete',
  summary: 'Puts a session into the trash, whole. With `purge`, deletes one that is in the trash for good.',
  writes: true,
  fails: ['session-not-trashed', 'session-has-forks', 'lease-held'],
  params: z.strictObject({ sessionId: SessionField, purge: z.boolean().default(false) }),
  result: z.strictObject({ id: z.string(), deleted: z.literal(true), purged: z.boolean() }),
  faces: { rpc: true },
  async run({ sessionId, purge }, { store, sessions, find, forget }) {
    const info = await find(sessionId);
    const { id } = info;
    await sessions.letGo(id);
    if (!purge) {
      await labelSession(store, info, { place: 'trashed' });
      return { id, deleted: true as const, purged: false };
    }
    await purgeSession(store, info);
    forget(id);
    const { forgetInIndexes } = await import('../../search/index.ts');
    await forgetInIndexes(store, [id]);
    return { id, deleted: true as const, purged: true };
  },
});
