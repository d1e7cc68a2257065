export type { ComparisonRecord, MergeRecord } from './comparison-record.ts';
export { diffBranches } from './diff-branches.ts';
export { mergeBranch } from './merge-branch.ts';
export { previewMerge } from './preview-merge.ts';
export { undoMerge } from './undo-merge.ts';
