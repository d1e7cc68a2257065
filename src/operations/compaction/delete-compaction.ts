import { z } from 'zod';
import type { NewEntry } from '../../record/index.ts';
import { operation } from '../operation.ts';
import { allActive } from '../records/page-of-messages.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';
import { markEntry } from './mark-compaction.ts';

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
    const { info, node, tree } = await findCompaction(app, named);
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
