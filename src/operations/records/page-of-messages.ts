import type { Entry, Message, Seq, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { type CompactionNode, type CompactionTree, readCompactionTree } from './compaction-tree.ts';
import { type MessageRecord, toMessageRecord } from './message-record.ts';

interface ListOptions {
  readonly limit: number;
  readonly before?: Seq | undefined;
  readonly after?: Seq | undefined;
  readonly upTo?: Seq | undefined;
  readonly includeInactive: boolean;
  readonly includeExcluded: boolean;
}

interface MessagePage {
  readonly messages: MessageRecord[];
  readonly before: Seq | null;
  readonly after: Seq | null;
}

/** One page, oldest first. What compactions stand in for is jumped over, so a page costs what it shows. */
export async function pageOfMessages(
  store: Store,
  info: SessionInfo,
  { limit, before, after, upTo, includeInactive, includeExcluded }: ListOptions,
): Promise<MessagePage> {
  const tree = await readCompactionTree(store, info);
  const isShown = (message: MessageRecord) =>
    includeInactive ||
    message.isActive ||
    (includeExcluded && message.excluded && !tree.standsFor(message.seq));
  const jump = includeInactive ? undefined : tree;
  const range = { store, info, tree, jump, isShown, wanted: limit + 1 };
  if (after !== undefined && before === undefined) {
    const end = Math.min(upTo ?? info.head, info.head);
    const found = await walk({ ...range, first: after + 1, last: end });
    const messages = found.slice(0, limit);
    const more = found.length > limit;
    const first = messages[0]?.seq;
    return { messages, before: first ?? null, after: more ? messages.at(-1)!.seq : null };
  }
  const start = Math.min((before ?? info.head + 1) - 1, info.head);
  const found = await walk({ ...range, first: (after ?? 0) + 1, last: start, newestFirst: true });
  const messages = found.slice(0, limit).reverse();
  const last = messages.at(-1)?.seq ?? start;
  return {
    messages,
    before: found.length > limit ? messages[0]!.seq : null,
    after: last < info.head && before !== undefined ? last : null,
  };
}

/** Every active message of a range, or of all, however many there are. */
export async function allActive(
  store: Store,
  info: SessionInfo,
  { from, to }: { from: Seq; to: Seq } = { from: 1, to: info.head },
): Promise<MessageRecord[]> {
  const tree = await readCompactionTree(store, info);
  const isShown = ({ isActive }: MessageRecord) => isActive;
  const wanted = Number.POSITIVE_INFINITY;
  return walk({ store, info, tree, jump: tree, isShown, wanted, first: from, last: to });
}

interface Walk {
  readonly store: Store;
  readonly info: SessionInfo;
  readonly tree: CompactionTree;
  readonly jump: CompactionTree | undefined;
  readonly isShown: (message: MessageRecord) => boolean;
  readonly wanted: number;
  /** Both are searched. */
  readonly first: Seq;
  readonly last: Seq;
  readonly newestFirst?: boolean;
}

const PAGE = 500;

async function walk({ store, info, tree, jump, isShown, wanted, newestFirst, ...range }: Walk) {
  const found: MessageRecord[] = [];
  const limit = Math.min(PAGE, wanted);
  const order = newestFirst ? 'newest-first' : 'oldest-first';
  let { first, last } = range;
  const pass = ({ from, to }: { readonly from: Seq; readonly to: Seq }) => {
    if (newestFirst) last = from - 1;
    else first = to + 1;
  };
  while (first <= last && found.length < wanted) {
    const inside = jump?.standsFor(newestFirst ? last : first);
    if (inside) {
      pass(inside.entry.body.covers);
      continue;
    }
    const page = await store.read(info.id, { after: first - 1, upTo: last, only: 'messages', order, limit });
    let covering: CompactionNode | undefined;
    for (const entry of page) {
      covering = jump?.standsFor(entry.seq);
      pass(covering?.entry.body.covers ?? { from: entry.seq, to: entry.seq });
      if (covering) break;
      if (entry.body.kind !== 'message') continue;
      const message = toMessageRecord(entry as Entry & { body: Message }, info, tree);
      if (isShown(message)) found.push(message);
    }
    if (page.length < limit && !covering) break;
  }
  return found;
}
