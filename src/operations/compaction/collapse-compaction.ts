import { z } from 'zod';
import type { App } from '../app.ts';
import { operation } from '../operation.ts';
import { CompactionRecord } from '../records/compaction-record.ts';
import { CompactionFields, findCompaction } from './find-compaction.ts';
import { collapseMarks, isOpen, markCompaction } from './mark-compaction.ts';

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
  const { info, node } = await findCompaction(app, named);
  const { compaction, changed } = await markCompaction(app, { info, node }, (tree) => {
    const below = withThoseBelow ? tree.below(node.entry.id).filter(isOpen) : [];
    return [node, ...below].flatMap(collapseMarks);
  });
  return { compaction, messagesDeactivated: -changed };
}
