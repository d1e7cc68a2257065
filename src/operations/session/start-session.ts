import { z } from 'zod';
import { createSession } from '../../session/index.ts';
import { FolderField, ModelField, PolicyField } from '../fields.ts';
import { operation } from '../operation.ts';
import { labelFolder } from '../project/label-folder.ts';
import { AgentField, modelNames, NewId } from './label-fields.ts';

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
