import type { SdkConversation, Seq, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { markOf, ownSetting } from '../records/own-conversation.ts';
import { readAnswer } from './read-untold.ts';

/** How the next turn of a session reaches the SDK. */
export type KnownConversation =
  /** `since`: an id that the SDK did not give in a turn here, set at this entry. */
  | {
      readonly how: 'continue';
      readonly id: string;
      readonly mark: SdkConversation | undefined;
      readonly since: Seq;
    }
  | { readonly how: 'fork'; readonly id: string; readonly mark: SdkConversation }
  | { readonly how: 'begin' };

export async function findSdkConversation(store: Store, info: SessionInfo): Promise<KnownConversation> {
  const { cliSessionId: id } = info.state.settings;
  if (id === undefined) return { how: 'begin' };
  const mark = markOf(info);
  if (mark === undefined) {
    const since = await ownSetting(store, info);
    return since === undefined ? { how: 'begin' } : { how: 'continue', id, mark, since };
  }
  if (mark.session === info.id) return { how: 'continue', id, mark, since: mark.heard };
  return (await standsAt(store, mark)) && (await readAnswer(store, info, mark.heard))
    ? { how: 'fork', id, mark }
    : { how: 'begin' };
}

/** True while the conversation holds exactly what a mark says, so that a copy of it holds nothing else. */
export async function standsAt(store: Store, { id, session, turns }: SdkConversation): Promise<boolean> {
  const owner = await store.session(session);
  const now = owner && markOf(owner);
  return now?.id === id && now.session === session && now.turns === turns && now.asking === undefined;
}
