export { type CheckpointFile, readCheckpointFile, writeCheckpointFile } from './checkpoint-file.ts';
export { type CheckpointChange, diffCheckpoints, pairLines } from './diff-checkpoints.ts';
export { type Checkpoint, EMPTY_CHECKPOINT, foldCheckpoint, isFirm } from './fold-checkpoint.ts';
export { foldCompactions } from './fold-compactions.ts';
export { applyMerge, foldSteps, type MergeStep, type Step } from './fold-steps.ts';
export { fitForeign } from './foreign-text.ts';
export { type Gone, withoutGone } from './gone-lines.ts';
export { leavesOpen } from './leaves-open.ts';
export { readLine, renderSummary, sayItem, sayLine } from './render-summary.ts';
export { bareWords, finishesTask, isExact, lineWords, sameLine, sayTheSame } from './same-line.ts';
export {
  foreignText,
  isRendered,
  readLooseSummary,
  readOwn,
  readSessionSummary,
  SUMMARY_END,
  SUMMARY_START,
  withLists,
  writeSessionSummary,
} from './session-summary.ts';
export { readSyntheticPair, writeSyntheticPair } from './synthetic-pair.ts';
export { readWorkingSet, type WorkingSet, writeWorkingSet } from './working-set.ts';
