export { type Access, OWNER, reachesProject, reachesSession } from './access.ts';
export type { AgentSdk, SdkMessage, SdkRequest } from './agent-sdk/agent-sdk.ts';
export { type Agreeing, type App, type AppOptions, createApp, type Machine, OWN_MACHINE } from './app.ts';
export { checkParams } from './check-params.ts';
export { type Contexts, createContexts } from './contexts/contexts.ts';
export { Failure, failureOf } from './failure.ts';
export { ApprovalScope, HostSettings, SeqField, SessionField } from './fields.ts';
export { type Offered, OPERATIONS } from './list.ts';
export { createOpenSessions, type OpenSessions, openBehindServer } from './open-sessions.ts';
export {
  checkAccess,
  type Operation,
  operation,
  type Printed,
  perform,
  printedBy,
  type Request,
  type ResultOf,
} from './operation.ts';
export { CompactionRecord } from './records/compaction-record.ts';
export { DocumentRecord, TodoRecord } from './records/document-record.ts';
export { EntryBodySchema, EntryRecord, nameOfBody, toEntry } from './records/entry-record.ts';
export { MessageRecord } from './records/message-record.ts';
export { describedSession, SessionDescription, SessionRecord } from './records/session-record.ts';
export { showSession } from './records/show-session.ts';
export { TurnRecord, WaitingRecord } from './records/turn-record.ts';
export { refused } from './refused.ts';
export { rescueUnsaved } from './rescue-unsaved.ts';
export { type AiSessions, createAiSessions } from './runs/ai-sessions.ts';
export { LiveEvent } from './runs/live-event.ts';
export { APPROVAL_MS, createRuns, type LiveNote, type Runs } from './runs/runs.ts';
export { sayAgentProblem } from './say-agent-problem.ts';
