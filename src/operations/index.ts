export { type Access, OWNER, reachesProject, reachesSession } from './access.ts';
export type { AgentSdk, SdkMessage, SdkRequest } from './agent-sdk/agent-sdk.ts';
export { type App, createAppOperation, type Machine, OWN_MACHINE } from './app.ts';
export { checkParams } from './check-params.ts';
export { type Contexts, createContexts } from './contexts/contexts.ts';
export { type Failure, failureOfOperation } from './failure.ts';
export { ApprovalScope, HostSettings, SeqField, SessionField } from './fields.ts';
export { type Offered, OPERATIONS } from './list.ts';
export { createOpenSessions, type OpenSessions, openBehindServer } from './open-sessions.ts';
export {
  checkAccess,
  type Operation,
  type OperationResult,
  operation,
  perform,
  printedBy,
  type Request,
} from './operation.ts';
export type { CompactionRecord } from './records/compaction-record.ts';
export type { DocumentRecord, TodoRecord } from './records/document-record.ts';
export { EntryBodySchema, EntryRecord, nameOfBody, toEntryRecord } from './records/entry-record.ts';
export type { MessageRecord } from './records/message-record.ts';
export {
  describedSession,
  type SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from './records/session-record.ts';
export type { TurnAnswerRecord, WaitingRecord } from './records/turn-record.ts';
export { refused } from './refused.ts';
export { rescueUnsaved } from './rescue-unsaved.ts';
export { type AiSessions, createAiSessions } from './runs/ai-sessions.ts';
export { LiveEvent } from './runs/live-event.ts';
export { APPROVAL_MS, createRuns, type LiveNote, type Runs } from './runs/runs.ts';
export { sayAgentProblem } from './say-agent-problem.ts';
