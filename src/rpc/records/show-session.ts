import type { SessionInfo } from '../../record/index.ts';
import { reachesSession } from '../access.ts';
import { ownConversation } from '../agent-sdk/find-conversation.ts';
import type { Call } from '../call.ts';
import type { SessionRecord } from '../methods/index.ts';
import { toSession } from './to-records.ts';

/** A session as whoever asks may see it: a parent out of reach does not exist for them, so it is not named either. */
export async function showSession(
  { store, access }: Pick<Call, 'store' | 'access'>,
  info: SessionInfo,
): Promise<SessionRecord> {
  const record = { ...toSession(info), cliSessionId: await ownConversation(store, info) };
  if (access.projects === null || record.parent === null) return record;
  const parent = await store.session(record.parent);
  if (parent && (await reachesSession(store, access, parent))) return record;
  return { ...record, parent: null, relation: null };
}
