import { server } from '../connection/server.ts';
import type { Originals, ShownMessage } from '../timeline/shown.ts';
import { shownMessage } from './to-shown.ts';

export interface Page {
  readonly messages: readonly ShownMessage[];
  readonly older: number | null;
  readonly newer: number | null;
}

/** One page is enough for a screen and a half; far fewer than what a server may be asked for at once. */
const PAGE = 100;

async function read(
  sessionId: string,
  where: { before?: number; after?: number; upTo?: number; limit?: number; includeInactive?: boolean },
): Promise<Page> {
  const asked = { sessionId, limit: PAGE, includeExcluded: true, ...where };
  const { messages, before, after } = await server.call('chat/message/list', asked);
  return { messages: messages.map(shownMessage), older: before, newer: after };
}

export function readNewest(sessionId: string): Promise<Page> {
  return read(sessionId, {});
}

export function readOlder(sessionId: string, before: number): Promise<Page> {
  return read(sessionId, { before });
}

export function readNewer(sessionId: string, after: number, limit = PAGE): Promise<Page> {
  return read(sessionId, { after, limit });
}

/** A page of either side of an entry, so that there is no need for more at once. */
export async function readAround(sessionId: string, seq: number): Promise<Page> {
  const [before, after] = await Promise.all([
    read(sessionId, { before: seq + 1 }),
    read(sessionId, { after: seq }),
  ]);
  return { messages: [...before.messages, ...after.messages], older: before.older, newer: after.newer };
}

/** What a compaction covers, from its beginning, compacted or not. */
export async function readRange(
  sessionId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Originals> {
  const { messages, newer } = await read(sessionId, { after: from - 1, upTo: to, includeInactive: true });
  return { messages, earlier: false, more: newer !== null && newer < to };
}

/** The last of what a range holds. */
export async function readEarlier(
  sessionId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Originals> {
  const page = await read(sessionId, { before: to + 1, includeInactive: true });
  const messages = page.messages.filter(({ seq }) => seq >= from);
  const whole = messages.length < page.messages.length || page.older === null;
  return { messages, earlier: !whole && messages[0]!.seq > from, more: false };
}
