import { z } from 'zod';
import { labelSession } from '../../session/index.ts';
import { projectFor } from '../access.ts';
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
import { describedSession, SessionDescription, SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { LabelFields, settingsIn } from './label-fields.ts';

const result = z.strictObject({ session: SessionRecord });
type Updated = z.output<typeof result>;

const described = {
  schema: SessionDescription,
  of: ({ session }: Updated) => describedSession(session),
} satisfies Projection<Updated>;

const moved = {
  schema: SessionDescription.extend({ place: Place }),
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
