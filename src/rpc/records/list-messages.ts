import type { Entry, Message, Seq, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { MessageRecord } from '../methods/index.ts';
import { type CompactionTree, readCompactionTree } from './compaction-tree.ts';
import { toMessage } from './to-records.ts';

export interface ListOptions {
  readonly limit: number;
  readonly before?: Seq | undefined;
  readonly after?: Seq | undefined;
  readonly upTo?: Seq | undefined;
  readonly includeInactive: boolean;
  readonly includeExcluded: boolean;
}

export interface MessagePage {
  readonly messages: MessageRecord[];
  readonly before: Seq | null;
  readonly after: Seq | null;
}

/** One page, oldest first. What compactions stand in for is jumped over, so a page costs what it shows. */
export async function listMessages(
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
    const found = await forward({ ...range, from: after, end });
    const messages = found.slice(0, limit);
    const more = found.length > limit;
    const first = messages[0]?.seq;
    return { messages, before: first ?? null, after: more ? messages.at(-1)!.seq : null };
  }
  const start = Math.min((before ?? info.head + 1) - 1, info.head);
  const found = await backward({ ...range, from: start, end: after ?? 0 });
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
  return forward({ store, info, tree, jump: tree, isShown, wanted, from: from - 1, end: to });
}

interface Walk {
  readonly store: Store;
  readonly info: SessionInfo;
  readonly tree: CompactionTree;
  readonly jump: CompactionTree | undefined;
  readonly isShown: (message: MessageRecord) => boolean;
  readonly wanted: number;
  readonly from: Seq;
  readonly end: Seq;
}

const PAGE = 500;

async function forward({
  store,
  info,
  tree,
  jump,
  isShown,
  wanted,
  from,
  end,
}: Walk): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  for (let after = from; after < end && found.length < wanted; ) {
    const inside = jump?.standsFor(after + 1);
    if (inside) {
      after = inside.entry.body.covers.to;
      continue;
    }
    const limit = Math.min(PAGE, wanted);
    const page = await store.read(info.id, { after, upTo: end, only: 'messages', limit });
    for (const entry of page) {
      after = entry.seq;
      const covering = jump?.standsFor(entry.seq);
      if (covering) {
        after = covering.entry.body.covers.to;
        break;
      }
      take(entry, { info, tree, isShown, found });
    }
    if (page.length === 0) break;
    if (page.length < limit && after === page.at(-1)!.seq) break;
  }
  return found;
}

async function backward({
  store,
  info,
  tree,
  jump,
  isShown,
  wanted,
  from,
  end,
}: Walk): Promise<MessageRecord[]> {
  const found: MessageRecord[] = [];
  for (let upTo = from; upTo > end && found.length < wanted; ) {
    const inside = jump?.standsFor(upTo);
    if (inside) {
      upTo = inside.entry.body.covers.from - 1;
      continue;
    }
    const limit = Math.min(PAGE, wanted);
    const order = 'newest-first';
    const page = await store.read(info.id, { after: end, upTo, only: 'messages', order, limit });
    let jumped = false;
    for (const entry of page) {
      upTo = entry.seq - 1;
      const covering = jump?.standsFor(entry.seq);
      if (covering) {
        upTo = covering.entry.body.covers.from - 1;
        jumped = true;
        break;
      }
      take(entry, { info, tree, isShown, found });
    }
    if (page.length < limit && !jumped) break;
  }
  return found;
}

function take(
  entry: Entry,
  {
    info,
    tree,
    isShown,
    found,
  }: Pick<Walk, 'info' | 'tree' | 'isShown'> & { readonly found: MessageRecord[] },
): void {
  if (entry.body.kind !== 'message') return;
  const message = toMessage(entry as Entry & { body: Message }, info, tree);
  if (isShown(message)) found.push(message);
}
