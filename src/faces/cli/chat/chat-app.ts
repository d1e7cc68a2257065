import { type App, createAppOperation } from '../../../operations/index.ts';
import type { Chat } from './chat.ts';
import { CHAT_OWNER } from './choose-session.ts';

/** The store for operations, which work in the session that the chat holds through its handle. A person waits for no other program. */
export function appOf(chat: Pick<Chat, 'place' | 'session'>): App {
  const held = (id: string) => (chat.session?.id === id ? chat.session : undefined);
  return createAppOperation(chat.place.store, { lease: { owner: CHAT_OWNER, waitMs: 0, held } });
}
