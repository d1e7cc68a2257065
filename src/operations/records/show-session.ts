import {
  CompactionPolicy,
  hostSettings,
  isSummarised,
  placeOf,
  type SessionInfo,
} from '../../record/index.ts';
import { describeSession, titleInChain } from '../../session/index.ts';
import { reachesSession } from '../access.ts';
import type { App } from '../app.ts';
import { ownConversation } from './own-conversation.ts';
import type { SessionRecord } from './session-record.ts';

/** A session as the caller may see it: a parent out of reach does not exist for it, so it is not named either. */
export async function showSession(
  { store, access }: Pick<App, 'store' | 'access'>,
  info: SessionInfo,
): Promise<SessionRecord> {
  const reaches = (other: SessionInfo) => reachesSession(store, access, other);
  const record = {
    ...toSession(info),
    title: await titleInChain(store, info, reaches),
    cliSessionId: await ownConversation(store, info),
  };
  if (access.projects === null || record.parent === null) return record;
  const parent = await store.session(record.parent);
  if (parent && (await reaches(parent))) return record;
  return { ...record, parent: null, relation: null };
}

function toSession(info: SessionInfo): Omit<SessionRecord, 'cliSessionId'> {
  const { settings } = info.state;
  const { tags, ...described } = describeSession(info);
  return {
    ...described,
    tags: [...tags],
    place: placeOf(info.state),
    head: info.head,
    summarised: isSummarised(info.state),
    provider: settings.provider ?? null,
    model: settings.model ?? null,
    systemPrompt: settings.systemPrompt ?? null,
    compaction: CompactionPolicy.parse(settings.compaction ?? 'balanced'),
    askFirst: settings.askFirst ?? false,
    settings: hostSettings(info.state),
    usage: { ...info.usage },
  };
}
