import { type PreparedTurn, prepareTurn } from '../../agent/index.ts';
import { AGENT_SDK, type ChosenModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { makeReady, nextRequest, type RequestPlan, recoverTurn } from '../../run/index.ts';
import type { Session } from '../../session/index.ts';
import { compactionNotice } from '../agent-sdk/compaction-notice.ts';
import { resumeConversation } from '../agent-sdk/resume-conversation.ts';
import type { Call, Handler } from '../call.ts';
import type { ResultOf } from '../methods/index.ts';
import { turnChoices } from '../runs/prepare-turn.ts';

/** Goes on with a session: by the agent SDK's own id, or with a context that is built from the log and fits. */
export const resumeSession: Handler<'ai/session/resume'> = async (
  { chatSessionId, waitMs, ...asked },
  call,
) => {
  const info = await call.find(chatSessionId);
  const turn = await prepareTurn(info, { ...turnChoices(call, asked), announced: true });
  const { chosen } = turn;
  const kept = chosen.provider === AGENT_SDK ? await resumeConversation(call, info, chosen) : undefined;
  const { id: aiSessionId } = call.aiSessions.open(info.id, asked);
  const opened = { aiSessionId, chatSessionId: info.id, ...tellModel(chosen) };
  if (kept) {
    const running = call.runs.isRunning(info.id);
    const left = await call.sessions.use(info.id, (session) => closeTurn(session, { running }), { waitMs });
    return { ...opened, ...kept, ...left, running };
  }
  const rebuilt = await rebuild(call, info, { ...turn, waitMs });
  const notice = rebuilt.autoCompacted ? await compactionNotice(call.store, info) : {};
  return { ...opened, ...rebuilt, ...notice };
};

/** The model that answers, and if the session names another, why that one does not. */
export function tellModel({ provider, model, limits, problem }: ChosenModel) {
  return {
    provider,
    model,
    contextWindow: limits.window,
    ...(problem !== undefined && { modelProblem: problem }),
  };
}

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
  ResultOf<'ai/session/resume'>,
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
  { runs, sessions, contexts }: Call,
  { id }: SessionInfo,
  { chosen: model, options, waitMs }: PreparedTurn & { waitMs: number | undefined },
): Promise<Rebuilt> {
  const running = runs.isRunning(id);
  const work = async (session: Session) => {
    const left = await closeTurn(session, { running });
    const build = (plan: RequestPlan) => contexts.of(session.info, plan);
    // A turn that is running keeps the room itself.
    const ready = running ? nextRequest : makeReady;
    const next: Awaited<ReturnType<typeof makeReady>> = await ready(session, options, { model, build });
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
  return sessions.use(id, work, { waitMs });
}
