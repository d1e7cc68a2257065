import { z } from 'zod';
import { writeSummary } from '../../compaction/index.ts';
import {
  type Entry,
  type EntryId,
  type Mark,
  type NewEntry,
  newEntryId,
  type SessionInfo,
} from '../../record/index.ts';
import { inFrontOf, markEntries, openSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { App } from '../app.ts';
import { EntryIdField, NewIdField, SessionField } from '../fields.ts';
import { findMessage } from '../message/messages.ts';
import { operation } from '../operation.ts';
import { CompactionRecord, toCompaction } from '../records/compaction-record.ts';
import { type CompactionNode, type CompactionTree, readCompactionTree } from '../records/compaction-tree.ts';
import { allActive } from '../records/page-of-messages.ts';
import {
  type AddressedCompaction,
  CompactionFields,
  findCompactionOperation,
  NumberedCompaction,
  toNumbered,
} from './find-compaction.ts';

export const createCompaction = operation({
  name: 'chat/compaction/create',
  summary:
    'Stores a summary that you wrote for a run of messages. It takes effect with `chat/compaction/apply`, or at once, in one step, with `apply`.',
  writes: true,
  fails: ['entry-not-found', 'entry-conflict'],
  params: z.strictObject({
    sessionId: SessionField,
    summary: z.string().min(1).max(200_000).describe('Markdown.'),
    startMessageId: EntryIdField.describe('The first message it stands in for.'),
    endMessageId: EntryIdField.describe('The last one.'),
    apply: z.boolean().default(false),
    id: NewIdField,
    messagesCompacted: z.int().min(0).optional().describe('Counted by the server; taken for older clients.'),
    originalTokenCount: z.int().min(0).optional().describe('Likewise.'),
    compressedTokenCount: z.int().min(0).optional().describe('Likewise.'),
  }),
  result: z.strictObject({ compaction: CompactionRecord }),
  faces: { rpc: true },
  async run(params, { store, sessions, find }) {
    const { sessionId, apply, summary: markdown, startMessageId, endMessageId, id = newEntryId() } = params;
    const asked = await find(sessionId);
    const { seq: from } = await findMessage(store, asked, startMessageId);
    const { seq: to } = await findMessage(store, asked, endMessageId);
    await sessions.use(asked.id, (session) =>
      writeSummary(session, { id, markdown, covers: { from, to }, apply }),
    );
    const info = (await store.session(asked.id))!;
    const node = (await readCompactionTree(store, info)).find(id)!;
    return { compaction: await toCompaction(store, info, node) };
  },
});

export const getCompaction = operation({
  name: 'chat/compaction/get',
  summary: 'One compaction; an error if there is none.',
  fails: ['entry-not-found'],
  params: z.strictObject(CompactionFields),
  result: z.strictObject({ compaction: CompactionRecord }),
  faces: { rpc: true },
  async run(named, app) {
    const { info, node } = await findCompactionOperation(app, named);
    return { compaction: await toCompaction(app.store, info, node) };
  },
});

export const listCompactionsOperation = operation({
  name: 'chat/compaction/list',
  summary: 'The compactions of a session, in the order they were made. Deleted ones are not among them.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.array(CompactionRecord),
  faces: { rpc: true },
  async run({ sessionId }, { store, find }) {
    const info = await find(sessionId);
    const { nodes } = await readCompactionTree(store, info);
    const records = await Promise.all(nodes.map((node) => toCompaction(store, info, node)));
    return records.sort((a, b) => a.createdAt - b.createdAt || a.seq - b.seq);
  },
});

export const expandCompaction = operation({
  name: 'chat/compaction/expand',
  summary: 'Puts the original messages back into the context.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    ...CompactionFields,
    deep: z
      .boolean()
      .default(true)
      .describe('Down to the messages; `false` opens one level, so that the summaries under it stand there.'),
  }),
  result: z.strictObject({ compaction: CompactionRecord, messagesActivated: z.int() }),
  faces: { rpc: true },
  async run({ deep, ...named }, app) {
    const { info, node } = await findCompactionOperation(app, named);
    const { compaction, changed } = await markCompaction(app, { info, node }, (tree, now) =>
      expandMarks(app.store, now, { tree, node, deep }),
    );
    return { compaction, messagesActivated: changed };
  },
});

/** One that is covered comes to light only if those above it are opened too. */
async function expandMarks(
  store: Store,
  info: SessionInfo,
  { tree, node, deep }: { tree: CompactionTree; node: CompactionNode; deep: boolean },
): Promise<NewEntry[]> {
  const { id } = node.entry;
  const front = await inFrontOf(store, info, node.entry);
  const below = deep ? tree.below(id) : [];
  const others = deep ? [] : tree.below(id).filter(isOpenOperation).flatMap(collapseMarks);
  const opened = [...front.map(({ id }) => id), ...[node, ...below].map(({ entry }) => entry.id)];
  return [...others, ...opened.map((each) => markEntry('expanded', each))];
}

const params = z.strictObject(CompactionFields);
const result = z.strictObject({ compaction: CompactionRecord, messagesDeactivated: z.int() });

export const collapseCompaction = operation({
  name: 'chat/compaction/collapse',
  summary: 'Hides the messages of a compaction again: the reverse of `expand`.',
  writes: true,
  fails: ['entry-not-found'],
  params,
  result,
  faces: { rpc: true },
  run: (named, app) => hide(app, named, { withThoseBelow: true }),
});

/** In effect: it is expanded no longer, and those under it stay as they are. */
export const applyCompaction = operation({
  name: 'chat/compaction/apply',
  summary:
    'Puts a stored compaction into effect: its messages leave the context and its summary stands in for them.',
  writes: true,
  fails: ['entry-not-found'],
  params,
  result,
  faces: { rpc: true },
  run: (named, app) => hide(app, named, { withThoseBelow: false }),
});

async function hide(
  app: App,
  named: z.output<typeof params>,
  { withThoseBelow }: { withThoseBelow: boolean },
): Promise<z.output<typeof result>> {
  const { info, node } = await findCompactionOperation(app, named);
  const { compaction, changed } = await markCompaction(app, { info, node }, (tree) => {
    const below = withThoseBelow ? tree.below(node.entry.id).filter(isOpenOperation) : [];
    return [node, ...below].flatMap(collapseMarks);
  });
  return { compaction, messagesDeactivated: -changed };
}

const printed = {
  schema: NumberedCompaction,
  of: ({ compaction }: { readonly compaction: NumberedCompaction }) => compaction,
};

export const foldCompaction = operation({
  name: 'session/fold',
  summary:
    'Puts the originals of one compaction back into the context, or hides them behind its summary again. Compactions that cover it are expanded with it; those under it stay as they are.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    id: EntryIdField.describe('The compaction; a removed one may be named too.'),
    fold: z.enum(['expanded', 'collapsed']),
  }),
  result: z.strictObject({
    compaction: NumberedCompaction.describe('As it stands now, which may not be as asked.'),
    compactions: z.array(NumberedCompaction).describe('All of the session.'),
    opened: z.array(z.int()).describe('The numbers of those that were expanded with it.'),
  }),
  faces: {
    help: {
      expand: 'Put what a compaction covers back into the context.',
      collapse: 'Hide what a compaction covers behind its summary again.',
    },
    cli: { 'expand <session> <compaction>': printed, 'collapse <session> <compaction>': printed },
  },
  async run({ sessionId, id, fold }, { store, find }) {
    const { listCompactions } = await import('../../compaction/index.ts');
    const info = await find(sessionId);
    await using session = await openSession(store, info.id, { mode: 'join' });
    const marks = await markEntries(session, fold, [{ entry: id }]);
    const compactions = (await listCompactions(store, await session.refresh())).map(toNumbered);
    const also = compactions.filter(
      (other) => other.id !== id && marks.some((mark) => isAbout(mark, other.id)),
    );
    return {
      compaction: compactions.find((other) => other.id === id)!,
      compactions,
      opened: also.map(({ number }) => number),
    };
  },
});

function isAbout({ body }: Entry, id: string): boolean {
  return body.kind === 'mark' && 'entry' in body.target && body.target.entry === id;
}

/** A deleted one stands in for nothing, so its range has to be kept out by a mark, in the same step. */
export const deleteCompaction = operation({
  name: 'chat/compaction/delete',
  summary:
    'Deletes a compaction. Messages that it hides stay hidden (they are excluded); call `expand` first, or say `reactivate`, to have them back.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    ...CompactionFields,
    reactivate: z
      .boolean()
      .default(false)
      .describe('Undo it: its messages are active again, in the same step.'),
  }),
  result: z.strictObject({ id: z.string(), deleted: z.literal(true), messagesActivated: z.int() }),
  faces: { rpc: true },
  async run({ reactivate, ...named }, app) {
    const { info, node, tree } = await findCompactionOperation(app, named);
    const { id, body } = node.entry;
    const before = await allActive(app.store, info, body.covers);
    const hides = node.status !== 'expanded' && !reactivate;
    const inside = tree.below(id);
    await app.store.append(info.id, [
      markEntry('removed', id),
      ...(hides ? [{ body: { kind: 'mark', mark: 'excluded', target: body.covers } } as NewEntry] : []),
      ...(reactivate ? inside.map((each) => markEntry('expanded', each.entry.id)) : []),
    ]);
    const now = await allActive(app.store, (await app.store.session(info.id))!, body.covers);
    return { id, deleted: true as const, messagesActivated: Math.max(0, now.length - before.length) };
  },
});

/** True for a compaction whose originals are in the context. */
const isOpenOperation = ({ status }: CompactionNode) => status === 'expanded';
const markEntry = (name: Mark['mark'], entry: EntryId): NewEntry => ({
  body: { kind: 'mark', mark: name, target: { entry } },
});

const collapseMarks = ({ entry }: CompactionNode) => [markEntry('collapsed', entry.id)];

/** Appends marks and tells how many messages they put into the context. Marks need no lease: they fit beside a turn. */
async function markCompaction(
  { store }: App,
  { info: { id: session }, node: { entry } }: Pick<AddressedCompaction, 'info' | 'node'>,
  marksFor: (tree: CompactionTree, info: SessionInfo) => NewEntry[] | Promise<NewEntry[]>,
) {
  const { id, body } = entry;
  const info = (await store.session(session))!;
  const before = await allActive(store, info, body.covers);
  await store.append(session, await marksFor(await readCompactionTree(store, info), info));
  const now = (await store.session(session))!;
  const node = (await readCompactionTree(store, now)).find(id)!;
  const changed = (await allActive(store, now, body.covers)).length - before.length;
  return { compaction: await toCompaction(store, now, node), changed };
}
