import type { EntryId, Mark, NewEntry, SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { toCompaction } from '../records/compaction-record.ts';
import { type CompactionNode, type CompactionTree, readCompactionTree } from '../records/compaction-tree.ts';
import { allActive } from '../records/page-of-messages.ts';
import type { FoundCompaction } from './find-compaction.ts';

/** True for a compaction whose originals are in the context. */
export const isOpen = ({ status }: CompactionNode) => status === 'expanded';
export const markEntry = (name: Mark['mark'], entry: EntryId): NewEntry => ({
  body: { kind: 'mark', mark: name, target: { entry } },
});

export const collapseMarks = ({ entry }: CompactionNode) => [markEntry('collapsed', entry.id)];

/** Appends marks and tells how many messages they put into the context. Marks need no lease: they fit beside a turn. */
export async function markCompaction(
  { store }: App,
  { info: { id: session }, node: { entry } }: Pick<FoundCompaction, 'info' | 'node'>,
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
