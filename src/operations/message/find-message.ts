import { isThroughlineError } from '../../errors.ts';
import type { Entry, EntryId, Message, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { refused } from '../refused.ts';

export type MessageEntry = Entry & { readonly body: Message };

/** The message with this id; `entry-not-found` for an entry of any other kind too. */
export async function findMessage(store: Store, info: SessionInfo, id: EntryId): Promise<MessageEntry> {
  const entry = await store.entry(info.id, id).catch((error: unknown) => {
    if (isThroughlineError(error, 'entry-not-found')) return undefined;
    throw error;
  });
  if (entry?.body.kind === 'message') return entry as MessageEntry;
  throw refused('entry-not-found', `Session "${info.id}" has no message ${id}.`, {
    session: info.id,
    entry: id,
  });
}
