export { orderWaiting, readInput, type TurnInput } from './accept-input.ts';
export { type Agent, refuseNoAgent } from './agent/agent.ts';
export { giveConsent, readConsent } from './agent/agent-consent.ts';
export { type LoadedAgent, loadAgent } from './agent/load-agent.ts';
export { type AgentChange, type UseAgentOptions, useAgent } from './agent/use-agent.ts';
export { continueTurn, inputOf } from './continue-turn.ts';
export {
  makeReady,
  type NextRequest,
  type NextRequestOptions,
  nextRequest,
  questionAhead,
} from './next-request.ts';
export { type RecoverOptions, type Recovery, recoverTurn } from './recover-turn.ts';
export { refuseQueuedId } from './refuse-queued-id.ts';
export {
  type Announced,
  assembleRequest,
  type Elsewhere,
  type RequestPlan,
  requestFor,
  requestHead,
} from './request/build-request.ts';
export { contextAt, type SentContext } from './request/context-at.ts';
export { CacheBreak } from './request/note-request.ts';
export { runTurn } from './run-turn.ts';
export type { ModelCall } from './spending/call-in.ts';
export { foldSpending, NO_SPENDING, type Spending, type SpendingSum } from './spending/fold-spending.ts';
export { readCalls, readSpending } from './spending/read-spending.ts';
export { sayCost } from './spending/say-cost.ts';
export { countSession, countsOf, type SessionCounts, sayCounts } from './spending/session-counts.ts';
export { streamTurn } from './stream-turn.ts';
export { summariserFor } from './summariser-for.ts';
export { compactByProvider, SUMMARISE_THEMSELVES } from './summary/compact-by-provider.ts';
export {
  type AgentTool,
  APPROVAL_SCOPES,
  type Approval,
  type ApprovalRequest,
  type ApprovalScope,
  type Approve,
  defineTool,
  type InputOf,
  type ToolRun,
} from './tools/agent-tool.ts';
export {
  type KeptApproval,
  listApprovals,
  revokeAlways,
  revokeInSession,
} from './tools/kept-approvals.ts';
export { type OfferedTools, offerTools } from './tools/offer-tools.ts';
export { recallFor } from './turn.ts';
export type { ToolOutcome, TurnEvent, TurnResult } from './turn-event.ts';
export type { CompactionChoice, RetryChoice, TurnOptions } from './turn-options.ts';
export { getTurn, type ListTurnsOptions, listTurns, newestTurn, steeringNotes } from './turns/read-turns.ts';
export { refuseRetry, retryTurn } from './turns/retry-turn.ts';
export { findSteered, type Steered, steerTurn, turnNotRunning } from './turns/steer-turn.ts';
export { isUnfinished, type TurnRecord, type TurnStatus } from './turns/turn-record.ts';
export { waitForTurn } from './turns/wait-for-turn.ts';
export { waitingNotes } from './turns/waiting-turns.ts';
export { resumeCompaction, stopBackground } from './work-of.ts';
