import {
  allActive,
  type CompactionNode,
  type CompactionTree,
  findCompaction,
  readCompactionTree,
  toCompaction,
} from '../../operations/index.ts';
import type { EntryId, Mark, NewEntry, SessionInfo } from '../../record/index.ts';
import { inFrontOf } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Call, Handler } from '../call.ts';
import { createCompaction } from './create-compaction.ts';

const list: Handler<'chat/compaction/list'> = async ({ sessionId }, { store, find }) => {
  const info = await find(sessionId);
  const { nodes } = await readCompactionTree(store, info);
  const records = await Promise.all(nodes.map((node) => toCompaction(store, info, node)));
  return records.sort((a, b) => a.createdAt - b.createdAt || a.seq - b.seq);
};

const get: Handler<'chat/compaction/get'> = async (named, call) => {
  const { info, node } = await findCompaction(call, named);
  return { compaction: await toCompaction(call.store, info, node) };
};

/** In effect: what was opened for it is opened no longer. */
const apply: Handler<'chat/compaction/apply'> = async (named, call) => {
  const { info, node } = await findCompaction(call, named);
  const { compaction, changed } = await mark(call, info, node, () => collapseMarks(node));
  return { compaction, messagesDeactivated: -changed };
};

const expand: Handler<'chat/compaction/expand'> = async ({ deep, ...named }, call) => {
  const { info, node } = await findCompaction(call, named);
  const { compaction, changed } = await mark(call, info, node, (tree, now) =>
    expandMarks(call.store, now, { tree, node, deep }),
  );
  return { compaction, messagesActivated: changed };
};

const collapse: Handler<'chat/compaction/collapse'> = async (named, call) => {
  const { info, node } = await findCompaction(call, named);
  const { compaction, changed } = await mark(call, info, node, (tree) => [
    ...collapseMarks(node),
    ...tree.below(node.entry.id).filter(isOpen).flatMap(collapseMarks),
  ]);
  return { compaction, messagesDeactivated: -changed };
};

/** A deleted one stands in for nothing, so what it hides has to be kept out by a mark of its own, in the same step. */
const remove: Handler<'chat/compaction/delete'> = async ({ reactivate, ...named }, call) => {
  const { info, node, tree } = await findCompaction(call, named);
  const { id, body } = node.entry;
  const before = await allActive(call.store, info, body.covers);
  const hides = node.status !== 'expanded' && !reactivate;
  const inside = tree.below(id);
  await call.store.append(info.id, [
    markEntry('removed', id),
    ...(hides ? [{ body: { kind: 'mark', mark: 'excluded', target: body.covers } } as NewEntry] : []),
    ...(reactivate ? inside.map((each) => markEntry('expanded', each.entry.id)) : []),
  ]);
  const now = await allActive(call.store, (await call.store.session(info.id))!, body.covers);
  return { id, deleted: true, messagesActivated: Math.max(0, now.length - before.length) };
};

const isOpen = ({ status }: CompactionNode) => status === 'expanded';
const markEntry = (name: Mark['mark'], entry: EntryId): NewEntry => ({
  body: { kind: 'mark', mark: name, target: { entry } },
});
const collapseMarks = ({ entry }: CompactionNode) => [markEntry('collapsed', entry.id)];

/** One that is covered comes to light only if those above it are opened too. */
async function expandMarks(
  store: Store,
  info: SessionInfo,
  { tree, node, deep }: { tree: CompactionTree; node: CompactionNode; deep: boolean },
): Promise<NewEntry[]> {
  const { id } = node.entry;
  const front = await inFrontOf(store, info, node.entry);
  const below = deep ? tree.below(id) : [];
  const others = deep ? [] : tree.below(id).filter(isOpen).flatMap(collapseMarks);
  const opened = [...front.map(({ id }) => id), ...[node, ...below].map(({ entry }) => entry.id)];
  return [...others, ...opened.map((each) => markEntry('expanded', each))];
}

/** Marks need no lease: they say something about a session, also while somebody talks in it. */
async function mark(
  { store }: Call,
  { id: session }: SessionInfo,
  { entry: { id, body } }: CompactionNode,
  marksFor: (tree: CompactionTree, info: SessionInfo) => NewEntry[] | Promise<NewEntry[]>,
) {
  const info = (await store.session(session))!;
  const before = await allActive(store, info, body.covers);
  await store.append(session, await marksFor(await readCompactionTree(store, info), info));
  const now = (await store.session(session))!;
  const node = (await readCompactionTree(store, now)).find(id)!;
  const changed = (await allActive(store, now, body.covers)).length - before.length;
  return { compaction: await toCompaction(store, now, node), changed };
}

export const chatCompaction = {
  'chat/compaction/list': list,
  'chat/compaction/get': get,
  'chat/compaction/create': createCompaction,
  'chat/compaction/apply': apply,
  'chat/compaction/expand': expand,
  'chat/compaction/collapse': collapse,
  'chat/compaction/delete': remove,
};
