import { isThroughlineError } from '../../errors.ts';
import { chooseModel, type ModelNames, providerName } from '../../models/index.ts';
import { DEFAULT_POLICY, projectFor, refused } from '../../operations/index.ts';
import {
  type CompactionPolicy,
  type GivenSettings,
  newEntryId,
  type Part,
  type SessionInfo,
  type SessionState,
} from '../../record/index.ts';
import { createSession } from '../../session/index.ts';
import type { Call, Handler } from '../call.ts';
import { prepareRun } from '../runs/prepare-turn.ts';
import { resumeSession, tellModel } from './resume-session.ts';
import { tellTurn } from './turn.ts';

const create: Handler<'ai/session/create'> = async (params, call) => {
  const { chatSessionId, provider, model, ...birth } = params;
  const asked = { provider, model };
  const info = chatSessionId === undefined ? await bear(call, birth, asked) : await call.find(chatSessionId);
  const chosen = await describeChoice(call, info.state, asked);
  const { id: aiSessionId } = call.aiSessions.open(info.id, chatSessionId === undefined ? {} : asked);
  return { aiSessionId, chatSessionId: info.id, ...tellModel(chosen) };
};

function describeChoice({ env }: Call, state: Pick<SessionState, 'settings'>, asked: ModelNames) {
  return chooseModel(state, { asked, agentSdk: true, announced: true, open: { env } });
}

interface Birth {
  readonly systemPrompt?: string | undefined;
  readonly title?: string | undefined;
  readonly project?: string | undefined;
  readonly agent?: string | undefined;
  readonly compaction?: CompactionPolicy | undefined;
}

async function bear(call: Call, birth: Birth, asked: ModelNames): Promise<SessionInfo> {
  const { store, access } = call;
  const { systemPrompt, title, agent, compaction = DEFAULT_POLICY } = birth;
  const project = projectFor(access, birth.project);
  const settings: GivenSettings = {
    ...(asked.provider != null && { provider: providerName(asked.provider) }),
    ...(asked.model != null && { model: asked.model }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    compaction,
  };
  // A model that does not exist is said before there is a session for it.
  await describeChoice(call, { settings: {} }, asked);
  const fields = {
    ...(title !== undefined && { title }),
    ...(agent !== undefined && { agent }),
    ...(project !== undefined && { project }),
  };
  await using session = await createSession(store, { ...fields, settings }, { mode: 'join' });
  return session.info;
}

const send: Handler<'ai/session/send'> = async (params, call, handedOver) => {
  const {
    sessionId,
    storageSessionId,
    content,
    id = newEntryId(),
    stream,
    wait,
    waitMs,
    ...forThis
  } = params;
  const { info, asked } = await whereTo(call, { sessionId, storageSessionId });
  const parts: string | Part[] = typeof content === 'string' ? content : content;
  const model = forThis.provider === undefined && forThis.model === undefined ? asked : forThis;
  const leave = stream ? call.line?.watches.streamTurn(info.id, id) : undefined;
  const started = call.runs.start(info.id, { id, parts }, prepareRun(call, model), { waitMs });
  const { messageId, waiting, over, modelProblem } = await started.catch((error: unknown) => {
    leave?.();
    throw error;
  });
  const replaced = modelProblem === undefined ? {} : { modelProblem };
  const stored = { stored: true, messageId, chatSessionId: info.id, waiting, ...replaced } as const;
  if (!wait) return stored;
  handedOver({ isWaiting: true });
  await over;
  return { ...stored, ...(await tellTurn(call, info.id, messageId)) };
};

const goOn: Handler<'ai/session/continue'> = async ({ stream, ...named }, call) => {
  const { info, asked } = await whereTo(call, named);
  const started = await call.runs.goOn(info.id, prepareRun(call, asked));
  if (started && stream) call.line?.watches.streamTurn(info.id, started.messageId);
  return { started: started !== undefined, messageId: started?.messageId ?? null, chatSessionId: info.id };
};

const cancel: Handler<'ai/session/cancel'> = async ({ sessionId, chatSessionId, all }, call) => {
  if (sessionId === undefined && chatSessionId === undefined)
    throw refused('usage', 'Name what to stop: "sessionId" or "chatSessionId".');
  const { info } =
    chatSessionId !== undefined
      ? { info: await call.find(chatSessionId) }
      : await whereTo(call, { sessionId: sessionId!, storageSessionId: undefined });
  return { cancelled: await call.runs.cancel(info.id, { all }) };
};

/** The chat session behind an AI session. After a restart nobody knows it, and what was named beside it counts. */
async function whereTo(
  call: Call,
  { sessionId, storageSessionId }: { sessionId?: string | undefined; storageSessionId?: string | undefined },
): Promise<{ info: SessionInfo; asked: ModelNames }> {
  if (sessionId === undefined && storageSessionId === undefined)
    throw refused(
      'usage',
      'Name the session: "sessionId" (an AI session) or "storageSessionId" (a chat session).',
    );
  const known = sessionId === undefined ? undefined : call.aiSessions.get(sessionId);
  const reference = known?.chatSessionId ?? storageSessionId;
  if (reference === undefined) throw unknown(sessionId ?? '');
  const info = await call.find(reference).catch((error: unknown) => {
    throw isThroughlineError(error, 'session-not-found') && known ? unknown(known.id) : error;
  });
  if (known && storageSessionId !== undefined && (await call.find(storageSessionId)).id !== info.id)
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

export const aiSession = {
  'ai/session/create': create,
  'ai/session/resume': resumeSession,
  'ai/session/send': send,
  'ai/session/continue': goOn,
  'ai/session/cancel': cancel,
};
