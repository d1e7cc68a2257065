import type { ChosenModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { readConversation } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Resumed as ResumeResult } from '../ai/ai-session-fields.ts';
import type { TurnApp } from '../turn-app.ts';
import { requireAgentSdk } from './agent-sdk.ts';
import { findSdkConversation } from './find-conversation.ts';
import { readUntold } from './read-untold.ts';

type Resumed = Pick<
  ResumeResult,
  | 'contextTokens'
  | 'messagesLoaded'
  | 'compactionsApplied'
  | 'autoCompacted'
  | 'resumed'
  | 'sdkSessionId'
  | 'sdkForked'
>;

/**
 * The SDK conversation that the next turn continues; `undefined` if that turn begins one. Refused where this server cannot
 * run the SDK: resuming must not succeed where sending fails.
 */
export async function resumeConversation(
  call: TurnApp,
  info: SessionInfo,
  { limits }: ChosenModel,
): Promise<Resumed | undefined> {
  await requireAgentSdk(call);
  const { store } = call;
  const found = await findSdkConversation(store, info);
  if (found.how === 'begin') return undefined;
  const since = found.how === 'fork' ? found.mark.heard : found.since;
  const { entries } = await readUntold(store, info, { mark: found.mark, since, upTo: info.head + 1 });
  const messages = entries.filter(({ body }) => body.kind === 'message').length;
  return {
    contextTokens: Math.min(await measureSaid(store, info), limits.window),
    messagesLoaded: messages,
    compactionsApplied: entries.length - messages,
    autoCompacted: false,
    resumed: true,
    sdkSessionId: found.id,
    ...(found.how === 'fork' && { sdkForked: true }),
  };
}

async function measureSaid(store: Store, info: SessionInfo): Promise<number> {
  const { frontier } = await readConversation(store, info);
  return frontier.reduce((sum, { tokens }) => sum + tokens, 0);
}
