export {
  type AutoCompaction,
  type AutoOptions,
  type AutoOutcome,
  createAutoCompaction,
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
export { digestEntries, digestVersion } from './digest/digest-entries.ts';
export { foretell, type SummaryWriter } from './economy/foretell.ts';
export { type Money, type Pace, USUAL_PACE } from './economy/money.ts';
export { whyNow } from './economy/why-now.ts';
export { foldNotes, onlyNew } from './fold-notes.ts';
export { partForeign, saidEntries } from './foreign-summaries.ts';
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
  settingsFor,
  triggerOf,
} from './read-policy.ts';
export { measureRetention } from './retention/measure-retention.ts';
export { approveDraft, discardDraft } from './review/approve-draft.ts';
export { changeDraft, type DraftChange } from './review/change-draft.ts';
export { draftCompaction } from './review/draft-compaction.ts';
export { createDraftKeeper } from './review/draft-keeper.ts';
export { DRAFT_SECTIONS } from './review/draft-lines.ts';
export { readDraft, type SummaryDraft } from './review/read-draft.ts';
export { listDraft, type ReviewedDraft, readReview, renderReview } from './review/review-text.ts';
export { statedLines, withStatedLines } from './stated/with-stated-lines.ts';
export { type RangeDraft, type SummariseOptions, summariseRange } from './summarise-range.ts';
export type { Summarised, SummariseRequest, Summariser } from './summariser.ts';
export { withInstructions } from './with-instructions.ts';
export { wouldCompact } from './would-compact.ts';
export { writeSummary } from './write-summary.ts';
