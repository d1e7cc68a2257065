export { type AgentDescription, AgentFile } from './agents/agent-description.ts';
export { DEFAULT_AGENTS } from './agents/default-agents.ts';
export { type AgentReader, createAgentReader, type ReadAgent } from './agents/read-agents.ts';
export { writeAgents } from './agents/write-agents.ts';
export type { Board, Feature, Move, SessionLink, Task } from './board/board.ts';
export {
  describeFeature,
  describeTask,
  type FeatureDescription,
  type TaskDescription,
} from './board/describe-board.ts';
export { foldBoard } from './board/fold-board.ts';
export type { BoardPlace } from './board/open-board.ts';
export { FEATURE_WORKFLOW, TASK_WORKFLOW, type Workflow } from './board/workflow.ts';
export type { FeatureFields, MoveOptions, TaskFields } from './board/write-board.ts';
export type { GitCommit, ProjectStructure, SessionContext } from './context/session-context.ts';
export type { LayoutExport } from './dagent/export-layout.ts';
export type { LayoutImport } from './dagent/import-layout.ts';
export { REQUEST_TOKENS, type WorkEvent, type WorkOptions } from './desk.ts';
export type { CheckOutcome, LoopOptions, LoopResult } from './loop/run-loop.ts';
export { openWork, type Work } from './open-work.ts';
export { layRequest, type RequestParts, type WorkRequest } from './request/lay-request.ts';
export type { WorkSessionDescription } from './sessions/describe-work-session.ts';
export {
  AGENT_TYPES,
  type AgentType,
  readAgentType,
  readSessionType,
  SESSION_TYPES,
  type SessionType,
} from './sessions/session-type.ts';
