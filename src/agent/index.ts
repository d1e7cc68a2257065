export { type ContextForOptions, contextFor, type SessionContext } from './context-for.ts';
export { type Knowledge, type KnowledgeOptions, openKnowledge } from './knowledge.ts';
export { type OpenAgent, type OpenAgentOptions, openAgent, type SendOptions } from './open-agent.ts';
export { type AgentOptions, type PreparedTurn, type PrepareOptions, prepareTurn } from './prepare-turn.ts';
