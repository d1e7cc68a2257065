export {
  type ContextForOptions,
  type ContextWithRecallOptions,
  contextFor,
  contextWithRecall,
  isWhatIf,
  type SessionContext,
} from './context-for.ts';
export { type Knowledge, type KnowledgeOptions, openKnowledge } from './knowledge.ts';
export { type OpenAgent, type OpenAgentOptions, openAgent } from './open-agent.ts';
export { type PreparedHead, prepareHead } from './prepare-head.ts';
export {
  type AgentOptions,
  chooseFor,
  type PreparedTurn,
  rememberedAgent,
  summaryInstructionsOf,
} from './prepare-turn.ts';
export { createTurns, type SendOptions, type Turns, type TurnsOptions } from './turns.ts';
