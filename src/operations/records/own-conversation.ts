import type { SdkConversation, Seq, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

// A session's SDK conversation is named by the setting `cliSessionId`. The setting `agentSdk` beside it says which session
// the conversation belongs to and how much of that session's log it holds. Forks inherit both settings, so the owner is
// compared before anything is sent: no two sessions write into one conversation.

/** The id of the conversation that belongs to this session: a fork has none before its first turn. */
export async function ownConversation(store: Store, info: SessionInfo): Promise<string | null> {
  const { cliSessionId: id } = info.state.settings;
  if (id === undefined) return null;
  if (info.parent?.relation !== 'fork') return id;
  const mark = markOf(info);
  const isOwn = mark ? mark.session === info.id : (await ownSetting(store, info)) !== undefined;
  return isOwn ? id : null;
}

/** The mark of the conversation that `cliSessionId` names. */
export function markOf({ state: { settings } }: SessionInfo): SdkConversation | undefined {
  const { agentSdk, cliSessionId } = settings;
  return agentSdk?.id === cliSessionId ? agentSdk : undefined;
}

const PAGE = 100;

/** Where the session's own log set `cliSessionId`; `undefined` if that was in the part that a fork shares. */
export async function ownSetting(store: Store, { id, parent, head }: SessionInfo): Promise<Seq | undefined> {
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
