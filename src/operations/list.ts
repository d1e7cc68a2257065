import { resumeFromSummary } from './ai/resume-from-summary.ts';
import { createAiSession, resumeAiSession } from './ai/sessions.ts';
import { cancelTurn, continueTurnOperation, sendMessage } from './ai/turns.ts';
import { answerRequest, listRequests, listToolApprovals, revokeApproval } from './approval/approvals.ts';
import { listArchiveOperation } from './archive/list-archive.ts';
import { archiveOriginals, restoreOriginalOperation } from './archive/originals.ts';
import { pushArchive } from './archive/push-archive.ts';
import { scrubArchiveOperation } from './archive/scrub-archive.ts';
import { verifyArchiveOperation } from './archive/verify-archive.ts';
import { diffBranchesOperation } from './branch/comparison-record.ts';
import { mergeBranchOperation, previewMergeOperation, undoMergeOperation } from './branch/merges.ts';
import { compareVersions, getCheckpoint, listVersions, restoreVersion } from './checkpoint/versions.ts';
import { approveContextDraft, discardContextDraft } from './compaction/approve-draft.ts';
import { changeContextDraft } from './compaction/change-draft.ts';
import { compactContext } from './compaction/compact-context.ts';
import {
  applyCompaction,
  collapseCompaction,
  createCompaction,
  deleteCompaction,
  expandCompaction,
  foldCompaction,
  getCompaction,
  listCompactionsOperation,
} from './compaction/compactions.ts';
import { draftContext } from './compaction/draft-context.ts';
import { numberCompactions } from './compaction/find-compaction.ts';
import { getDraft } from './compaction/get-draft.ts';
import { previewContext } from './compaction/preview-context.ts';
import { summariseSession } from './compaction/summarise-session.ts';
import { changeSetting } from './config/change-setting.ts';
import { listSettings } from './config/list-settings.ts';
import { meterContext } from './context/meter-context.ts';
import { readContextData } from './context/read-context-data.ts';
import { showContext } from './context/show-context.ts';
import { deleteDocument, deleteTodo } from './document/delete-document.ts';
import { getDocument } from './document/get-document.ts';
import { listDocuments } from './document/list-documents.ts';
import { listTodos } from './document/list-todos.ts';
import { putDocument } from './document/put-document.ts';
import { putTodo } from './document/put-todo.ts';
import { addProjectFact, editProjectFact, listFacts, retractProjectFact } from './memory/facts.ts';
import { listTouches } from './memory/list-touches.ts';
import { acceptProjectProposals, declineProjectProposals, listProjectProposals } from './memory/proposals.ts';
import { setFactBudget, showHistory, showMemory } from './memory/show-memory.ts';
import { markEntriesOperation } from './message/mark-entries.ts';
import { addMessage, getMessage, listMessages, markMessages } from './message/messages.ts';
import { listModels } from './model/list-models.ts';
import { addProject, linkProject, listProjectsOperation, showProject } from './project/projects.ts';
import { readEntriesOperation, recallOriginals } from './recall/recall-originals.ts';
import { searchSessions } from './search/search-sessions.ts';
import { countTags } from './session/count-tags.ts';
import { forkSessionOperation } from './session/fork-session.ts';
import { listCandidatesOperation } from './session/list-candidates.ts';
import { listSessionsOperation } from './session/list-sessions.ts';
import { purgeSessions } from './session/purge-sessions.ts';
import {
  deleteSession,
  findSessionOperation,
  getSessionOperation,
  updateSession,
} from './session/sessions.ts';
import { setUpSession } from './session/set-up-session.ts';
import { showLineage } from './session/show-lineage.ts';
import { showLog } from './session/show-log.ts';
import { showOverview } from './session/show-overview.ts';
import { showStandingOperation } from './session/show-standing.ts';
import { createSessionOperation, openSessionOperation, startSession } from './session/start-session.ts';
import { checkStore, salvageStoreOperation, scrubStoreOperation } from './store/stores.ts';
import { compactFiles } from './transcript/compact-files.ts';
import { exportTranscript, mirrorSession } from './transcript/export-transcript.ts';
import { followTranscripts } from './transcript/follow-transcripts.ts';
import { handOver } from './transcript/hand-over.ts';
import { identifyFile } from './transcript/identify-file.ts';
import { importTranscripts } from './transcript/import-transcripts.ts';
import { listAgentHomes } from './transcript/list-agent-homes.ts';
import { listTurnRecords, readTurnOperation, retryTurnOperation, steerRunningTurn } from './turn/turns.ts';
import { compactWorkSession, getWorkCheckpoint, showWorkCheckpoint } from './work/checkpoints.ts';
import {
  editFeature,
  getFeature,
  listFeatures,
  moveFeatureOperation,
  setFeatureOperation,
} from './work/features.ts';
import { listStates } from './work/find-work.ts';
import { exportLayoutOperation, importLayoutOperation } from './work/layouts.ts';
import { listWorkAgents, writeWorkAgents } from './work/list-work-agents.ts';
import { addWorkMessage, buildWorkRequestOperation, recordWorkLoop } from './work/requests.ts';
import {
  createWorkSessionOperation,
  endWorkSession,
  getWorkSession,
  listWorkSessions,
  openWorkSession,
} from './work/sessions.ts';
import { editTask, getTask, listTasks, moveTaskOperation, setTaskOperation } from './work/tasks.ts';

/** Every operation, family by family. */
export const OPERATIONS = [
  createAiSession,
  resumeAiSession,
  resumeFromSummary,
  sendMessage,
  continueTurnOperation,
  cancelTurn,
  compactContext,
  draftContext,
  getDraft,
  changeContextDraft,
  approveContextDraft,
  discardContextDraft,
  previewContext,
  summariseSession,
  readTurnOperation,
  listTurnRecords,
  retryTurnOperation,
  steerRunningTurn,
  listRequests,
  answerRequest,
  listToolApprovals,
  revokeApproval,
  showLog,
  showOverview,
  setUpSession,
  showStandingOperation,
  startSession,
  createSessionOperation,
  openSessionOperation,
  listCandidatesOperation,
  listSessionsOperation,
  getSessionOperation,
  updateSession,
  deleteSession,
  forkSessionOperation,
  showLineage,
  countTags,
  findSessionOperation,
  markEntriesOperation,
  listMessages,
  addMessage,
  getMessage,
  markMessages,
  foldCompaction,
  numberCompactions,
  listCompactionsOperation,
  getCompaction,
  createCompaction,
  applyCompaction,
  expandCompaction,
  collapseCompaction,
  deleteCompaction,
  readContextData,
  meterContext,
  showContext,
  listDocuments,
  getDocument,
  putDocument,
  deleteDocument,
  listTodos,
  putTodo,
  deleteTodo,
  searchSessions,
  readEntriesOperation,
  recallOriginals,
  getCheckpoint,
  listVersions,
  compareVersions,
  restoreVersion,
  diffBranchesOperation,
  mergeBranchOperation,
  previewMergeOperation,
  undoMergeOperation,
  listFacts,
  addProjectFact,
  editProjectFact,
  retractProjectFact,
  showHistory,
  showMemory,
  listProjectProposals,
  acceptProjectProposals,
  declineProjectProposals,
  setFactBudget,
  listTouches,
  addProject,
  linkProject,
  showProject,
  listProjectsOperation,
  listModels,
  listFeatures,
  getFeature,
  setFeatureOperation,
  editFeature,
  moveFeatureOperation,
  listTasks,
  getTask,
  setTaskOperation,
  editTask,
  moveTaskOperation,
  listStates,
  importLayoutOperation,
  exportLayoutOperation,
  listWorkSessions,
  getWorkSession,
  openWorkSession,
  createWorkSessionOperation,
  endWorkSession,
  addWorkMessage,
  compactWorkSession,
  getWorkCheckpoint,
  showWorkCheckpoint,
  recordWorkLoop,
  buildWorkRequestOperation,
  listWorkAgents,
  writeWorkAgents,
  identifyFile,
  importTranscripts,
  followTranscripts,
  listAgentHomes,
  mirrorSession,
  exportTranscript,
  handOver,
  compactFiles,
  archiveOriginals,
  listArchiveOperation,
  verifyArchiveOperation,
  restoreOriginalOperation,
  pushArchive,
  scrubArchiveOperation,
  purgeSessions,
  checkStore,
  salvageStoreOperation,
  scrubStoreOperation,
  listSettings,
  changeSetting,
] as const;

type Each = (typeof OPERATIONS)[number];

/** The operations that RPC offers, by their names. */
export type Offered = {
  readonly [One in Each as true extends One['faces']['rpc'] ? One['name'] : never]: One;
};
