import { z } from 'zod';
import { chooseFor } from '../../agent/index.ts';
import { chooseModel, type ModelNames } from '../../models/index.ts';
import type { CompactionPolicy, SessionInfo } from '../../record/index.ts';
import { createSession, refuseTrashed } from '../../session/index.ts';
import { projectFor } from '../access.ts';
import type { App } from '../app.ts';
import {
  AskFirstField,
  ModelField,
  PolicyField,
  ProviderField,
  SessionField,
  TitleField,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { announcedChoices } from '../runs/turns-for.ts';
import { DEFAULT_POLICY, settingsIn } from '../session/label-fields.ts';
import { updateSession } from '../session/update-session.ts';
import type { TurnApp } from '../turn-app.ts';
import { OpenedFields, tellModel } from './ai-session-fields.ts';

export const createAiSession = operation({
  name: 'ai/session/create',
  summary: 'Opens an AI session on a chat session, or on a new one.',
  writes: true,
  fails: ['session-trashed'],
  params: z.strictObject({
    chatSessionId: SessionField.optional().describe('A new chat session is made if not given.'),
    provider: ProviderField.optional(),
    model: ModelField.optional().describe(
      'The name of the model, alone or as `provider:model`. A new chat session is set to it; one that there is stays as it is, and the model answers in this AI session.',
    ),
    systemPrompt: z
      .string()
      .max(200_000)
      .optional()
      .describe(
        'It, `title`, `project`, `compaction` and `askFirst` are those of the chat session: one that there is changes to them, as with `chat/session/update`.',
      ),
    title: TitleField.optional(),
    project: z.string().min(1).max(1000).optional(),
    agent: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('The name of the agent of a new chat session. One that there is keeps its own: refused.'),
    compaction: PolicyField.optional(),
    askFirst: AskFirstField.optional(),
  }),
  result: z.strictObject(OpenedFields),
  faces: { rpc: true },
  async run(params, app: TurnApp, request) {
    const { chatSessionId, provider, model, ...birth } = params;
    const asked = { provider, model };
    const isNew = chatSessionId === undefined;
    if (!isNew && birth.agent !== undefined)
      throw refused(
        'usage',
        'A session keeps the agent it was made with: leave out "agent", or "chatSessionId" for a new session.',
      );
    const info = isNew ? await bear(app, birth, asked) : await app.find(chatSessionId);
    refuseTrashed(info);
    // A new session has the model as its setting.
    const forThis = isNew ? {} : asked;
    const choice = await chooseFor(info, { ...announcedChoices(app, forThis), announced: true });
    // A model that does not exist is said before anything changes.
    const { agent: _, ...labels } = birth;
    if (!isNew && Object.keys(labels).length > 0)
      await updateSession.run({ sessionId: info.id, ...labels, addTags: [], removeTags: [] }, app, request);
    const { id: aiSessionId } = app.aiSessions.open(info.id, forThis);
    return { aiSessionId, chatSessionId: info.id, ...tellModel(choice, app) };
  },
});

interface Birth {
  readonly systemPrompt?: string | undefined;
  readonly title?: string | undefined;
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  readonly compaction?: CompactionPolicy | undefined;
  readonly askFirst?: boolean | undefined;
}

async function bear(app: App, birth: Birth, asked: ModelNames): Promise<SessionInfo> {
  const { store, access } = app;
  const { systemPrompt, title, agent, compaction = DEFAULT_POLICY, askFirst } = birth;
  const project = projectFor(access, birth.project);
  // A model that does not exist is said before there is a session for it.
  await chooseModel({ settings: {} }, { asked, agentSdk: true, announced: true, open: { env: app.env } });
  const settings = await settingsIn(access, { ...asked, systemPrompt, compaction, askFirst });
  const fields = {
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
  };
  await using session = await createSession(store, { ...fields, settings }, { mode: 'join' });
  return session.info;
}
