export {
  type Board,
  type BoardPlace,
  describeFeature,
  describeTask,
  FEATURE_WORKFLOW,
  type Feature,
  type FeatureDescription,
  foldBoard,
  type Move,
  type SessionLink,
  TASK_WORKFLOW,
  type Task,
  type TaskDescription,
  type Workflow,
} from '../board/index.ts';
export { type AgentDescription, AgentFile } from './agents/agent-description.ts';
export { DEFAULT_AGENTS } from './agents/default-agents.ts';
export { type AgentReader, createAgentReader, type ReadAgent } from './agents/read-agents.ts';
export { writeAgents } from './agents/write-agents.ts';
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
export type { FeatureFields, MoveOptions, TaskFields } from './write-board.ts';
