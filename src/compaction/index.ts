export type { CompactionSettings, Keep, PresetName, Trigger } from '../record/index.ts';
export {
  type AutoCompaction,
  type AutoOptions,
  type AutoOutcome,
  createAutoCompaction,
  type DraftToTell,
} from './auto-compaction.ts';
export type { AskInChat, ChatAnswer, ChatQuestion } from './chat-summary.ts';
export type { CompactOptions } from './compact-options.ts';
export {
  type CompactionPreview,
  type CompactionResult,
  compactSession,
  previewCompaction,
} from './compact-session.ts';
export { describeWhole } from './describe-whole.ts';
export { digestEntries, digestVersion } from './digest/index.ts';
export { digestRange } from './digest-range.ts';
export { type Foretold, foretell, type Writer } from './economy/foretell.ts';
export {
  type Compacting,
  type Money,
  type Pace,
  USUAL_PACE,
} from './economy/money.ts';
export { whyNow } from './economy/why-now.ts';
export { foldNotes, onlyNew, type Stretch } from './fold-notes.ts';
export { partForeign } from './foreign-summaries.ts';
export { findDecisions, type Reading, readEntries, toolActions } from './ledger/index.ts';
export { type CompactionDescription, findCompaction, listCompactions } from './list-compactions.ts';
export { createModelSummariser } from './model-summariser.ts';
export { noteUnused } from './note-unused.ts';
export {
  type CheckpointVersion,
  checkpointAt,
  checkpointHistory,
  readCheckpoint,
  restoreCheckpoint,
} from './read-checkpoint.ts';
export {
  asksFirst,
  checkTrigger,
  type Load,
  PRESETS,
  policyOf,
  readPolicy,
  settingsFor,
  settingsOf,
  type TriggerReason,
  triggerOf,
} from './read-policy.ts';
export { measureRetention } from './retention/index.ts';
export {
  type ApproveOptions,
  approveDraft,
  changeDraft,
  createDraftKeeper,
  DRAFT_SECTIONS,
  type DraftChange,
  type DraftLine,
  type DraftSection,
  discardDraft,
  draftCompaction,
  type LineSource,
  type LostItem,
  listDraft,
  type ReviewedDraft,
  readDraft,
  readReview,
  renderReview,
  type SummaryDraft,
} from './review/index.ts';
export { saidEntries } from './said-entries.ts';
export { statedLines, withStatedLines } from './stated/index.ts';
export { type Draft, type Failure, type SummariseOptions, summariseRange } from './summarise-range.ts';
export type { Summarised, SummariseRequest, Summariser, SummariserOptions } from './summariser.ts';
export { withInstructions } from './with-instructions.ts';
export { wouldCompact } from './would-compact.ts';
export { type OwnSummary, writeSummary } from './write-summary.ts';
