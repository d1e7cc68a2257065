export type { DraftRecord } from '../records/draft-record.ts';
export { approveContextDraft, discardContextDraft } from './approve-draft.ts';
export { changeContextDraft } from './change-draft.ts';
export { compactContext } from './compact-context.ts';
export {
  applyCompaction,
  collapseCompaction,
  createCompaction,
  deleteCompaction,
  expandCompaction,
  foldCompaction,
  getCompaction,
  listCompactionsOperation,
} from './compactions.ts';
export { draftContext } from './draft-context.ts';
export { type NumberedCompaction, numberCompactions } from './find-compaction.ts';
export { getDraft } from './get-draft.ts';
export { previewContext } from './preview-context.ts';
export { summariseSession } from './summarise-session.ts';
