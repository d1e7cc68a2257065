import {
  type Compaction,
  type Entry,
  type EntryId,
  isMarked,
  type Seq,
  type SessionInfo,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** A compaction and how it stands in its session now. */
export interface CompactionNode {
  readonly entry: Entry & { readonly body: Compaction };
  readonly status: 'collapsed' | 'expanded' | 'covered';
  /** In its range, whatever stands in for them. */
  readonly messages: number;
}

/** What the compactions of a session add up to: which stands in for which message. */
export interface CompactionTree {
  /** In the order they were made, without those that were deleted. */
  readonly nodes: readonly CompactionNode[];
  find(id: EntryId): CompactionNode | undefined;
  /** The one whose summary the model sees instead of this entry. */
  standsFor(seq: Seq): CompactionNode | undefined;
  /** That one, or the nearest that would if it were collapsed. */
  homeOf(seq: Seq): CompactionNode | undefined;
  /** The ones that it covers. */
  below(id: EntryId): CompactionNode[];
}

/** Of a session that was never compacted. */
export const NO_TREE: CompactionTree = {
  nodes: [],
  find: () => undefined,
  standsFor: () => undefined,
  homeOf: () => undefined,
  below: () => [],
};

type Made = Entry & { readonly body: Compaction };

/** Reads entries that are no messages, and only if there is a compaction at all. */
export async function readCompactionTree(store: Store, info: SessionInfo): Promise<CompactionTree> {
  if (info.state.roots.length === 0) return NO_TREE;
  const notes = await store.read(info.id, { upTo: info.head, only: 'notes' });
  const made = notes.filter((entry): entry is Made => entry.body.kind === 'compaction');
  const byId = new Map(made.map((entry) => [entry.id, entry]));
  const { seen, opened } = walk(info, byId);
  const nodes = made
    .filter((entry) => !isMarked(info.state.removed, entry))
    .map((entry): CompactionNode => {
      const { from, to } = entry.body.covers;
      const notesInside = notes.filter(({ seq }) => seq >= from && seq <= to).length;
      const status = seen.has(entry.id) ? 'collapsed' : opened.has(entry.id) ? 'expanded' : 'covered';
      return { entry, status, messages: to - from + 1 - notesInside };
    });
  const covering = (seq: Seq) =>
    nodes.filter(({ entry: { body } }) => body.covers.from <= seq && seq <= body.covers.to);
  const size = ({ entry: { body } }: CompactionNode) => body.covers.to - body.covers.from;
  const within = (inner: CompactionNode, outer: CompactionNode) =>
    inner !== outer &&
    inner.entry.seq < outer.entry.seq &&
    inner.entry.body.covers.from >= outer.entry.body.covers.from &&
    inner.entry.body.covers.to <= outer.entry.body.covers.to;
  const standsFor = (seq: Seq) => covering(seq).find(({ status }) => status === 'collapsed');
  const find = (id: EntryId) => nodes.find(({ entry }) => entry.id === id);
  return {
    nodes,
    find,
    standsFor,
    homeOf: (seq) => standsFor(seq) ?? covering(seq).sort((a, b) => size(a) - size(b))[0],
    below: (id) => nodes.filter((node) => within(node, find(id) ?? node)),
  };
}

/** From the outermost down: the first one on each way that is not opened is seen. */
function walk(
  { state }: SessionInfo,
  byId: ReadonlyMap<EntryId, Made>,
): { seen: Set<EntryId>; opened: Set<EntryId> } {
  const seen = new Set<EntryId>();
  const opened = new Set<EntryId>();
  const waiting: Made[] = state.roots.flatMap(({ id }) => byId.get(id) ?? []);
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { id, seq, body } = next;
    if (!isMarked(state.expanded, next) && !isMarked(state.removed, next)) seen.add(id);
    else {
      opened.add(id);
      waiting.push(
        ...body.children.flatMap((child) => byId.get(child) ?? []).filter((each) => each.seq < seq),
      );
    }
  }
  return { seen: outermost(seen, byId), opened };
}

/** One that was made while its surroundings were opened hides those inside it. */
function outermost(seen: ReadonlySet<EntryId>, byId: ReadonlyMap<EntryId, Made>): Set<EntryId> {
  const ranges = [...seen].map((id) => ({ id, ...byId.get(id)!.body.covers }));
  const hidden = ranges.filter((one) =>
    ranges.some(
      (other) =>
        other.id !== one.id &&
        other.from <= one.from &&
        other.to >= one.to &&
        (other.to - other.from > one.to - one.from || other.id > one.id),
    ),
  );
  const gone = new Set(hidden.map(({ id }) => id));
  return new Set([...seen].filter((id) => !gone.has(id)));
}
