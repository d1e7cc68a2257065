import type { SdkConversation, Seq, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { readAnswer } from './read-untold.ts';

// A session's SDK conversation is named by the setting `cliSessionId`. The setting `agentSdk` beside it says which session
// the conversation belongs to and how much of that session's log it holds. Forks inherit both settings, so the owner is
// compared before anything is sent: no two sessions write into one conversation.

/** How the next turn of a session reaches the SDK. */
export type Conversation =
  /** `since`: an id that the SDK did not give in a turn here, set at this entry. */
  | {
      readonly how: 'continue';
      readonly id: string;
      readonly mark: SdkConversation | undefined;
      readonly since: Seq;
    }
  | { readonly how: 'fork'; readonly id: string; readonly mark: SdkConversation }
  | { readonly how: 'begin' };

export async function findConversation(store: Store, info: SessionInfo): Promise<Conversation> {
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

/** The id of the conversation that belongs to this session: a fork has none before its first turn. */
export async function ownConversation(store: Store, info: SessionInfo): Promise<string | null> {
  const { cliSessionId: id } = info.state.settings;
  if (id === undefined) return null;
  if (info.parent?.relation !== 'fork') return id;
  const mark = markOf(info);
  const isOwn = mark ? mark.session === info.id : (await ownSetting(store, info)) !== undefined;
  return isOwn ? id : null;
}

/** True while the conversation holds exactly what a mark says, so that a copy of it holds nothing else. */
export async function standsAt(store: Store, { id, session, turns }: SdkConversation): Promise<boolean> {
  const owner = await store.session(session);
  const now = owner && markOf(owner);
  return now?.id === id && now.session === session && now.turns === turns && now.asking === undefined;
}

function markOf({ state: { settings } }: SessionInfo): SdkConversation | undefined {
  const { agentSdk, cliSessionId } = settings;
  return agentSdk?.id === cliSessionId ? agentSdk : undefined;
}

const PAGE = 100;

/** Where the session's own log set `cliSessionId`; `undefined` if that was in the part that a fork shares. */
async function ownSetting(store: Store, { id, parent, head }: SessionInfo): Promise<Seq | undefined> {
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  for (let upTo = head; upTo > shared; ) {
    const range = { after: shared, upTo, only: 'notes', order: 'newest-first', limit: PAGE } as const;
    const page = await store.read(id, range);
    const found = page.find(({ body }) => body.kind === 'setting' && body.name === 'cliSessionId');
    if (found) return found.seq;
    if (page.length < PAGE) return undefined;
    upTo = page.at(-1)!.seq - 1;
  }
  return undefined;
}
