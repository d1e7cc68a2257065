export { applyCompaction } from './apply-compaction.ts';
export { collapseCompaction } from './collapse-compaction.ts';
export { createCompaction } from './create-compaction.ts';
export { deleteCompaction } from './delete-compaction.ts';
export { expandCompaction } from './expand-compaction.ts';
export { foldCompaction } from './fold-compaction.ts';
export { getCompaction } from './get-compaction.ts';
export { listCompactions } from './list-compactions.ts';
export { type NumberedCompaction, numberCompactions } from './number-compactions.ts';
