import type { Parent, Seq, SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** One session of a chain: the stretch of its log that led to the next. */
export interface ChainLink {
  readonly info: SessionInfo;
  /** How it follows the one before it in the chain; the first has no predecessor. */
  readonly relation?: Parent['relation'];
  /** Its own entries come after this one. */
  readonly after: Seq;
  /** Where the next session leaves it. */
  readonly upTo: Seq;
  /** Questions before the stretch, in what a fork shares, and at its end. */
  readonly queries: { readonly before: number; readonly total: number };
  /** Messages that were said in it after the next session had left it: they led somewhere else. */
  readonly later: number;
}

export interface Chain {
  /** Oldest first. */
  readonly links: readonly ChainLink[];
  /** The parent of the oldest, if it had one that is not there any more. */
  readonly missing?: SessionId;
}

/** Everything that led to a session: what it was resumed or forked from, and what those were, each of them once. */
export async function readChain(store: Store, asked: SessionInfo): Promise<Chain> {
  const path: { info: SessionInfo; upTo: Seq }[] = [];
  let missing: SessionId | undefined;
  for (let info: SessionInfo | undefined = asked, upTo = asked.head; info; ) {
    path.unshift({ info, upTo });
    const { parent }: SessionInfo = info;
    if (!parent) break;
    const above: SessionInfo | undefined = await store.session(parent.session);
    if (!above || path.some((one) => one.info.id === above.id)) missing = parent.session;
    info = missing === undefined ? above : undefined;
    upTo = parent.seq;
  }
  const links: ChainLink[] = [];
  for (const { info, upTo } of path) {
    const before = links.at(-1);
    const forked = before && info.parent?.relation === 'fork';
    const after = forked ? info.parent!.seq : 0;
    const shared = forked ? before.queries.total : 0;
    const own = await countMessages(store, info.id, { after, upTo });
    const rest = await countMessages(store, info.id, { after: upTo, upTo: info.head });
    links.push({
      info,
      ...(before && info.parent && { relation: info.parent.relation }),
      after,
      upTo,
      queries: { before: shared, total: shared + own.queries },
      later: rest.messages,
    });
  }
  return { links, ...(missing !== undefined && { missing }) };
}

const PAGE = 200;

async function countMessages(
  store: Store,
  id: SessionId,
  { after, upTo }: { after: Seq; upTo: Seq },
): Promise<{ messages: number; queries: number }> {
  let messages = 0;
  let queries = 0;
  for (let cursor = after; cursor < upTo; ) {
    const page = await store.read(id, { after: cursor, upTo, only: 'messages', limit: PAGE });
    for (const { body } of page) if (body.kind === 'message' && body.role === 'user') queries++;
    messages += page.length;
    if (page.length < PAGE) break;
    cursor = page.at(-1)!.seq;
  }
  return { messages, queries };
}
