import { z } from 'zod';
import { chooseFor, recoverTurn } from '../../agent/index.ts';
import { isThroughlineError } from '../../errors.ts';
import { AGENT_SDK, chooseModel, type ModelNames } from '../../models/index.ts';
import type { CompactionPolicy, SessionInfo } from '../../record/index.ts';
import { createSession, refuseTrashed, type Session } from '../../session/index.ts';
import { projectFor } from '../access.ts';
import { compactionNotice } from '../agent-sdk/compaction-notice.ts';
import { resumeConversation } from '../agent-sdk/resume-conversation.ts';
import type { App } from '../app.ts';
import {
  AskFirstField,
  ModelField,
  PolicyField,
  ProviderField,
  SessionField,
  TitleField,
  WaitField,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { announcedChoices, turnsFor } from '../runs/turns-for.ts';
import { DEFAULT_POLICY, settingsIn } from '../session/label-fields.ts';
import { updateSession } from '../session/sessions.ts';
import type { TurnApp } from '../turn-app.ts';
import { OpenedFields, Resumed, tellModel } from './ai-session-fields.ts';

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

/** Goes on with a session: by the agent SDK's own id, or with a context that is built from the log and fits. */
export const resumeAiSession = operation({
  name: 'ai/session/resume',
  summary:
    'Goes on with a chat session: rebuilds its context from the log, summaries included, as the next `ai/session/send` sends it. If the policy of the session says so, it is compacted first; by `window`, the policy of sessions made over RPC, that is when it is over the window with more than 15 active messages. Sessions of the agent SDK go on by its own session id; where this server cannot run the SDK, the default model goes on, as `modelProblem` says.',
  writes: true,
  fails: ['session-trashed', 'lease-held'],
  params: z.strictObject({
    chatSessionId: SessionField,
    provider: ProviderField.optional().describe(
      "Instead of the session's; it stays as it is for the next time.",
    ),
    model: ModelField.optional().describe(
      "Instead of the session's, in this AI session; `chat/session/update` sets the session to another.",
    ),
    waitMs: WaitField,
  }),
  result: Resumed,
  faces: { rpc: true },
  async run({ chatSessionId, waitMs, ...asked }, app: TurnApp) {
    const info = await app.find(chatSessionId);
    refuseTrashed(info);
    const choice = await chooseFor(info, { ...announcedChoices(app, asked), announced: true });
    const { chosen } = choice;
    const kept = chosen.provider === AGENT_SDK ? await resumeConversation(app, info, chosen) : undefined;
    const { id: aiSessionId } = app.aiSessions.open(info.id, asked);
    const opened = { aiSessionId, chatSessionId: info.id, ...tellModel(choice, app) };
    if (kept) {
      const running = app.runs.isRunning(info.id);
      const left = await app.sessions.use(info.id, (session) => closeTurn(session, { running }), { waitMs });
      return { ...opened, ...kept, ...left, running };
    }
    const rebuilt = await rebuild(app, info, { asked, waitMs });
    const notice = rebuilt.autoCompacted ? await compactionNotice(app.store, info) : {};
    return { ...opened, ...rebuilt, ...notice };
  },
});

/** Closing what a crash left open would wait for a turn that is running. */
async function closeTurn(
  session: Session,
  { running }: { running: boolean },
): Promise<{ unfinished: boolean; waiting: number }> {
  if (running) return { unfinished: false, waiting: 0 };
  const { unfinished, waiting } = await recoverTurn(session);
  return { unfinished: unfinished !== undefined, waiting: waiting.length };
}

type Rebuilt = Pick<
  Resumed,
  | 'contextTokens'
  | 'messagesLoaded'
  | 'compactionsApplied'
  | 'autoCompacted'
  | 'compactionId'
  | 'unfinished'
  | 'waiting'
  | 'running'
>;

async function rebuild(
  app: TurnApp,
  { id }: SessionInfo,
  { asked, waitMs }: { asked: ModelNames; waitMs: number | undefined },
): Promise<Rebuilt> {
  const running = app.runs.isRunning(id);
  const work = async (session: Session) => {
    const left = await closeTurn(session, { running });
    const turns = turnsFor(app, asked)(session);
    // A turn that is running keeps the room itself.
    const next = running ? { ...(await turns.context()), compactionId: undefined } : await turns.ready();
    const { context, holds, compactionId } = next;
    return {
      contextTokens: context.tokens,
      messagesLoaded: holds.messages,
      compactionsApplied: holds.summaries,
      autoCompacted: compactionId !== undefined,
      ...(compactionId !== undefined && { compactionId }),
      ...left,
      running,
    };
  };
  return app.sessions.use(id, work, { waitMs });
}

/** The chat session behind an AI session. After a restart it is unknown, and the chat session named beside it counts. */
export async function findChatSession(
  app: TurnApp,
  { sessionId, storageSessionId }: { sessionId?: string | undefined; storageSessionId?: string | undefined },
): Promise<{ info: SessionInfo; asked: ModelNames }> {
  if (sessionId === undefined && storageSessionId === undefined)
    throw refused(
      'usage',
      'Name the session: "sessionId" (an AI session) or "storageSessionId" (a chat session).',
    );
  const known = sessionId === undefined ? undefined : app.aiSessions.get(sessionId);
  const reference = known?.chatSessionId ?? storageSessionId;
  if (reference === undefined) throw unknown(sessionId ?? '');
  const info = await app.find(reference).catch((error: unknown) => {
    throw isThroughlineError(error, 'session-not-found') && known ? unknown(known.id) : error;
  });
  if (known && storageSessionId !== undefined && (await app.find(storageSessionId)).id !== info.id)
    throw refused(
      'usage',
      `AI session "${sessionId}" was opened on "${info.id}", not on "${storageSessionId}".`,
    );
  return { info, asked: known ?? {} };
}

function unknown(sessionId: string) {
  return refused(
    'session-not-found',
    `No AI session "${sessionId}": AI sessions end with the server. Call ai/session/resume, or give the id of the chat session as "storageSessionId".`,
    { session: sessionId },
  );
}
