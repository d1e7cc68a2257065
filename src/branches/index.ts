export { type AppendAfterOptions, appendAfter, type Landed, type OnHeadMoved } from './append-after.ts';
export type { Source } from './compare-branches.ts';
export {
  type DescribedChange,
  type DescribedComparison,
  type DescribedConflict,
  type DescribedSide,
  diffBranches,
} from './describe-comparison.ts';
export { type DescribedLineage, describeLineage, type Relative } from './describe-lineage.ts';
export { readMerges } from './find-base.ts';
export {
  type MergeOptions,
  type MergePreview,
  type MergeResult,
  mergeBranch,
  previewMerge,
  type SettleBy,
  undoMerge,
} from './merge-branch.ts';
export { mergeCheckpoints } from './merge-checkpoints.ts';
