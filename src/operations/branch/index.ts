export { type ComparisonRecord, diffBranchesOperation, type MergeRecord } from './comparison-record.ts';
export { mergeBranchOperation, previewMergeOperation, undoMergeOperation } from './merges.ts';
