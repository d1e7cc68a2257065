export { type ApproveOptions, approveDraft, discardDraft } from './approve-draft.ts';
export { changeDraft, type DraftChange } from './change-draft.ts';
export { draftCompaction } from './draft-compaction.ts';
export { createDraftKeeper } from './draft-keeper.ts';
export { DRAFT_SECTIONS, type DraftSection } from './draft-lines.ts';
export {
  type DraftLine,
  type LineSource,
  type LostItem,
  readDraft,
  type SummaryDraft,
} from './read-draft.ts';
export { listDraft, type ReviewedDraft, readReview, renderReview } from './review-text.ts';
