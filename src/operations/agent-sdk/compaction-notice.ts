import { type SessionId, type SessionInfo, settingEntry } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { TurnApp } from '../turn-app.ts';
import { findSdkConversation } from './find-conversation.ts';

const NOTICE =
  'The summary stands in the log of this session and is sent to every other model. The agent SDK keeps a conversation of its own, which this does not shorten; `ai/context/compact` with `newSdkSession` makes its next turn begin a new one from the summary.';

/** What a compaction does not change, for a session whose next SDK turn continues a conversation of the SDK. */
export async function compactionNotice(store: Store, info: SessionInfo): Promise<{ notice?: string }> {
  const { how } = await findSdkConversation(store, info);
  return how === 'begin' ? {} : { notice: NOTICE };
}

/** The next turn of the SDK begins a new conversation, made from the log. */
export async function forgetConversation(
  { sessions }: Pick<TurnApp, 'sessions'>,
  id: SessionId,
): Promise<void> {
  await sessions.append(id, [settingEntry('cliSessionId', null, { by: 'user' })]);
}
