export { orderWaiting, readInput, type TurnInput } from './accept-input.ts';
export {
  type ContextForOptions,
  type ContextWithRecallOptions,
  contextFor,
  contextWithRecall,
  isWhatIf,
  type SessionContext,
} from './context-for.ts';
export { continueTurn, inputOf } from './continue-turn.ts';
export type { Agent } from './definition/agent.ts';
export { giveConsent, readConsent } from './definition/agent-consent.ts';
export { type LoadedAgent, loadAgent } from './definition/load-agent.ts';
export { type AgentChange, type UseAgentOptions, useAgent } from './definition/use-agent.ts';
export { type Knowledge, type KnowledgeOptions, openKnowledge } from './knowledge.ts';
export { questionAhead } from './next-request.ts';
export { type OpenAgent, type OpenAgentOptions, openAgent } from './open-agent.ts';
export { type PreparedHead, prepareHead } from './prepare-head.ts';
export {
  type AgentOptions,
  chooseFor,
  type PreparedTurn,
  rememberedAgent,
  summaryInstructionsOf,
} from './prepare-turn.ts';
export { type RecoverOptions, type Recovery, recoverTurn } from './recover-turn.ts';
export { refuseQueuedId } from './refuse-queued-id.ts';
export {
  type Announced,
  assembleRequest,
  type Elsewhere,
  type RequestPlan,
  requestFor,
} from './request/build-request.ts';
export { contextAt } from './request/context-at.ts';
export { CacheBreak } from './request/note-request.ts';
export { runTurn } from './run-turn.ts';
export type { ModelCall } from './spending/call-in.ts';
export {
  foldSpending,
  NO_SPENDING,
  readCalls,
  readSpending,
  type Spending,
  type SpendingSum,
  sayCost,
} from './spending/fold-spending.ts';
export { countSession, countsOf, type SessionCounts, sayCounts } from './spending/session-counts.ts';
export { summariserFor } from './summariser-for.ts';
export { compactByProvider, SUMMARISE_THEMSELVES } from './summary/compact-by-provider.ts';
export {
  type AgentTool,
  type Approval,
  type ApprovalRequest,
  type ApprovalScope,
  type Approve,
  defineTool,
  type InputOf,
  type ToolRun,
} from './tools/agent-tool.ts';
export { type KeptApproval, listApprovals, revokeAlways, revokeInSession } from './tools/kept-approvals.ts';
export type { ToolOutcome, TurnEvent, TurnResult } from './turn-event.ts';
export type { CompactionChoice, RetryChoice, TurnOptions } from './turn-options.ts';
export { resumeCompaction, stopBackground } from './turn-queue.ts';
export { getTurn, type ListTurnsOptions, listTurns, newestTurn, steeringNotes } from './turns/read-turns.ts';
export { refuseRetry, retryTurn } from './turns/retry-turn.ts';
export { findSteered, type Steered, steerTurn, turnNotRunning } from './turns/steer-turn.ts';
export type { TurnRecord, TurnStatus } from './turns/turn-record.ts';
export { waitForTurn } from './turns/wait-for-turn.ts';
export { waitingNotes } from './turns/waiting-turns.ts';
export { createTurns, type SendOptions, streamTurn, type Turns, type TurnsOptions } from './turns.ts';
