export { type Access, findReachable, OWNER, projectFor, reachesProject, reachesSession } from './access.ts';
export { type App, type AppOptions, createApp } from './app.ts';
export { checkParams } from './check-params.ts';
export {
  Anything,
  ApprovalScope,
  CompactionNotice,
  ContentField,
  EntryIdField,
  ModelField,
  ModelProblem,
  NewIdField,
  Place,
  PolicyField,
  ProjectField,
  ProviderField,
  Role,
  SeqField,
  SessionField,
  TagField,
  TitleField,
  Usage,
  WaitField,
} from './fields.ts';
export { OPERATIONS, type Operations } from './list.ts';
export { createOpenSessions, isOvertaken, type OpenSessions, type UseOptions } from './open-sessions.ts';
export {
  checkAccess,
  type Operation,
  operation,
  type Printed,
  perform,
  printedBy,
  type Request,
} from './operation.ts';
export { Author, CompactionRecord, Covers, toCompaction } from './records/compaction-record.ts';
export { readCompactionTree } from './records/compaction-tree.ts';
export { ContextPart, LeftOut } from './records/context-part.ts';
export { DocumentRecord, TodoRecord } from './records/document-record.ts';
export { EntryBodySchema, EntryRecord, nameOfBody, toEntry } from './records/entry-record.ts';
export { contentOf, MessageRecord } from './records/message-record.ts';
export { markOf, ownSetting } from './records/own-conversation.ts';
export { allActive } from './records/page-of-messages.ts';
export { plainJson } from './records/plain-json.ts';
export { describedSession, SessionRecord } from './records/session-record.ts';
export { showSession } from './records/show-session.ts';
export { TurnRecord, WaitingRecord } from './records/turn-record.ts';
export { refused } from './refused.ts';
export { DEFAULT_POLICY } from './session/label-fields.ts';
export { reachableOf } from './session/page-of-sessions.ts';
