import { checkTrigger, compactSession, PRESETS } from '../../compaction/index.ts';
import type { BuiltContext } from '../../context/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { SessionInfo } from '../../record/index.ts';
import { recoverTurn } from '../../run/index.ts';
import { readConversation, type Session } from '../../session/index.ts';
import { compactionNotice } from '../agent-sdk/compaction-notice.ts';
import { resumeConversation } from '../agent-sdk/resume-conversation.ts';
import type { Call, Handler } from '../call.ts';
import type { ResultOf } from '../methods/index.ts';
import { AGENT_SDK, type AskedModel, type ChosenModel, chooseModel } from '../models/choose-model.ts';
import { isTarget } from '../records/compaction-tree.ts';
import { headOf } from '../runs/prepare-turn.ts';
import { summariserFor } from './ai-context.ts';

/** Goes on with a session: by the agent SDK's own id, or with a context that is built from the log and fits. */
export const resumeSession: Handler<'ai/session/resume'> = async (
  { chatSessionId, waitMs, ...asked },
  call,
) => {
  const info = await call.find(chatSessionId);
  const chosen = await chooseModel(info.state, asked, call);
  const kept = chosen.provider === AGENT_SDK ? await resumeConversation(call, info, chosen) : undefined;
  const { id: aiSessionId } = call.aiSessions.open(info.id, asked);
  const { provider, model, window: contextWindow } = chosen;
  const opened = { aiSessionId, chatSessionId: info.id, provider, model, contextWindow };
  if (kept) {
    const running = call.runs.isRunning(info.id);
    const left = await call.sessions.use(info.id, (session) => closeTurn(session, { running }), { waitMs });
    return { ...opened, ...kept, ...left, running };
  }
  const rebuilt = await rebuild(call, info, { chosen, asked, waitMs });
  const notice = rebuilt.autoCompacted ? await compactionNotice(call.store, info) : {};
  return { ...opened, ...rebuilt, ...notice };
};

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
  call: Call,
  { id }: SessionInfo,
  { chosen, asked, waitMs }: { chosen: ChosenModel; asked: AskedModel; waitMs: number | undefined },
): Promise<Rebuilt> {
  const { runs, sessions } = call;
  const running = runs.isRunning(id);
  const work = async (session: Session) => {
    const left = await closeTurn(session, { running });
    const first = await measure(call, await session.refresh(), chosen);
    const compactionId = first.isOver ? await shorten(call, session, asked) : undefined;
    const now = compactionId === undefined ? first : await measure(call, await session.refresh(), chosen);
    return {
      contextTokens: now.context.tokens,
      messagesLoaded: now.loaded,
      compactionsApplied: now.summaries,
      autoCompacted: compactionId !== undefined,
      ...(compactionId !== undefined && { compactionId }),
      ...left,
      running,
    };
  };
  return sessions.use(id, work, { waitMs });
}

interface Measured {
  readonly context: BuiltContext;
  /** Over the window before it was made to fit, with more than 15 active messages. */
  readonly isOver: boolean;
  readonly loaded: number;
  readonly summaries: number;
}

async function measure(
  { store, contexts }: Call,
  info: SessionInfo,
  { id, window, output }: ChosenModel,
): Promise<Measured> {
  const head = await headOf(store, info, window);
  const budget = { window, outputLimit: output };
  const context = await contexts.of(info, { head, budget, model: id });
  const { frontier, marks } = await readConversation(store, info);
  const seen = frontier.filter(
    (entry) => !isTarget(marks.excluded, entry) && !isTarget(marks.removed, entry),
  );
  const messages = seen.filter(({ body }) => body.kind === 'message');
  const said = seen.reduce((sum, { tokens }) => sum + tokens, 0);
  const fixed = context.parts
    .filter(({ part }) => !['messages', 'summary', 'recall', 'reserve', 'free'].includes(part))
    .reduce((sum, { tokens }) => sum + tokens, 0);
  const load = {
    tokens: context.steps.length === 0 ? context.tokens : Math.max(context.tokens, fixed + said),
    room: context.window - context.reserve,
    messages: messages.length,
    lines: seen.length,
  };
  const trimmed = context.leftOut
    .filter(({ what }) => what === 'turns' || what === 'answers')
    .reduce((sum, { entries }) => sum + entries, 0);
  return {
    context,
    isOver: checkTrigger(load, PRESETS.window) === 'hard',
    loaded: Math.max(0, messages.length - trimmed),
    summaries: seen.filter(({ body }) => body.kind === 'compaction' || body.kind === 'restoration').length,
  };
}

/** What cannot be summarised is left to the ladder: the context fits all the same. */
async function shorten(call: Call, session: Session, asked: AskedModel): Promise<string | undefined> {
  const summariser = await summariserFor(call, session.info, asked).catch(() => undefined);
  try {
    const settings = PRESETS.window;
    const result = await compactSession(session, { settings, ...(summariser && { summariser }) });
    return result.compactionId;
  } catch (error) {
    const harmless = ['nothing-to-compact', 'summary-rejected', 'compaction-stale'] as const;
    if (harmless.some((code) => isThroughlineError(error, code))) return undefined;
    throw error;
  }
}
