import { z } from 'zod';
import { chooseFor } from '../../agent/index.ts';
import { AGENT_SDK, type ModelNames } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { recoverTurn } from '../../run/index.ts';
import { refuseTrashed, type Session } from '../../session/index.ts';
import { compactionNotice } from '../agent-sdk/compaction-notice.ts';
import { resumeConversation } from '../agent-sdk/resume-conversation.ts';
import { ModelField, ProviderField, SessionField, WaitField } from '../fields.ts';
import { operation } from '../operation.ts';
import { announcedChoices, turnsFor } from '../runs/turns-for.ts';
import type { TurnApp } from '../turn-app.ts';
import { Resumed, tellModel } from './ai-session-fields.ts';

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
