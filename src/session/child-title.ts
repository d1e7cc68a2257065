import { type SessionInfo, titleOf } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** The title of the next link of a chain: the one that its parent was given, with a number that no other session has. */
export async function nextTitle(store: Store, { state }: SessionInfo): Promise<string | undefined> {
  const given = state.title?.text;
  // A title that was derived from messages is derived anew from the next messages.
  if (!given || state.title?.by === 'auto') return undefined;
  const [, base = given, before = '1'] = /^(.*) \((\d{1,4})\)$/s.exec(given) ?? [];
  for (let number = Number(before) + 1; ; number++) {
    const title = `${base} (${number})`;
    const alike = await store.find(title, { limit: 20 });
    if (!alike.some((info) => titleOf(info.state) === title)) return title;
  }
}
