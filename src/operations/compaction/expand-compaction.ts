import { z } from 'zod';
import type { NewEntry, SessionInfo } from '../../record/index.ts';
import { inFrontOf } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { operation } from '../operation.ts';
import { CompactionRecord } from '../records/compaction-record.ts';
import type { CompactionNode, CompactionTree } from '../records/compaction-tree.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';
import { collapseMarks, isOpen, markCompaction, markEntry } from './mark-compaction.ts';

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
    const { info, node } = await findCompaction(app, named);
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
  const others = deep ? [] : tree.below(id).filter(isOpen).flatMap(collapseMarks);
  const opened = [...front.map(({ id }) => id), ...[node, ...below].map(({ entry }) => entry.id)];
  return [...others, ...opened.map((each) => markEntry('expanded', each))];
}
