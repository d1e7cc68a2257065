import { z } from 'zod';
import { createSession as create, createSession, getOrCreateSession } from '../../session/index.ts';
import { sessionExists } from '../../store/index.ts';
import { isShown } from '../access.ts';
import { FolderField, ModelField, PolicyField } from '../fields.ts';
import { operation } from '../operation.ts';
import { labelFolder } from '../project/label-folder.ts';
import { SessionRecord, showSession } from '../records/session-record.ts';
import { AgentField, asNew, BirthFields, birthOf, modelNames, NewId } from './label-fields.ts';

/** `chat/session/create` for a person in a folder, who may name a module to run. */
export const startSession = operation({
  name: 'session/start',
  summary: "Starts a session in a folder, with the folder's project, which is written down now if it is new.",
  writes: true,
  params: z.strictObject({
    folder: FolderField,
    agent: AgentField.optional(),
    model: ModelField.optional(),
    compaction: PolicyField.optional(),
  }),
  result: z.strictObject({ id: NewId }),
  faces: { chat: ['message'] },
  async run({ folder, agent, model, compaction }, { store }) {
    const birth = {
      project: await labelFolder(store, folder),
      ...(agent && { agent: agent.name }),
      settings: { agentPath: agent?.path, ...(await modelNames({ model })), compaction },
    };
    await using session = await createSession(store, birth, { mode: 'join' });
    return { id: session.id };
  },
});

export const createSessionOperation = operation({
  name: 'chat/session/create',
  summary: 'Starts a session.',
  writes: true,
  fails: ['session-exists', 'session-gone', 'session-id-invalid'],
  params: z.strictObject({
    id: z.string().min(1).max(128).optional().describe('Made from the agent and the time if not given.'),
    ...BirthFields,
  }),
  result: z.strictObject({ id: NewId, session: SessionRecord }),
  faces: { rpc: true },
  async run({ id, ...fields }, app) {
    const birth = { ...(id !== undefined && { id }), ...(await birthOf(fields, app)) };
    await using session = await asNew(app, id, () => create(app.store, birth, { mode: 'join' }));
    return { id: session.id, session: await showSession(app, session.info) };
  },
});

export const openSessionOperation = operation({
  name: 'chat/session/open',
  summary:
    'The session with exactly this id; started now, with the other fields, if there is none. Any number of first calls at once give one session.',
  writes: true,
  fails: ['session-exists', 'session-gone', 'session-id-invalid'],
  params: z.strictObject({
    id: z.string().min(1).max(128).describe('Of your own: one for each user, for example.'),
    ...BirthFields,
  }),
  result: z.strictObject({
    id: NewId,
    session: SessionRecord,
    created: z.boolean().describe('Whether this call started it. If not, the other fields changed nothing.'),
  }),
  faces: { rpc: true },
  async run({ id, ...fields }, app) {
    const birth = await birthOf(fields, app);
    const { info, created } = await asNew(app, id, () => getOrCreateSession(app.store, id, birth));
    if (!created && !(await isShown(app.store, app.access, info))) throw sessionExists(id);
    return { id: info.id, session: await showSession(app, info), created };
  },
});
