export {
  type CheckpointFacts,
  type CheckpointFile,
  readCheckpointFile,
  writeCheckpointFile,
} from './checkpoint-file.ts';
export { type CheckpointChange, type CheckpointList, diffCheckpoints } from './diff-checkpoints.ts';
export { type Checkpoint, EMPTY_CHECKPOINT, foldCheckpoint } from './fold-checkpoint.ts';
export {
  type MergeConflict,
  type MergedCheckpoint,
  type MergeRule,
  mergeCheckpoints,
} from './merge-checkpoints.ts';
export { renderSummary } from './render-summary.ts';
export { namesTask, sameLine } from './same-line.ts';
export {
  readLooseSummary,
  readSessionSummary,
  SUMMARY_END,
  SUMMARY_START,
  writeSessionSummary,
} from './session-summary.ts';
export { readSyntheticPair, writeSyntheticPair } from './synthetic-pair.ts';
export { readWorkingSet, type WorkingSet, writeWorkingSet } from './working-set.ts';
