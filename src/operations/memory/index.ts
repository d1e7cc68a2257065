export type { FactRecord, WrittenFactRecord } from './fact-record.ts';
export { addProjectFact, editProjectFact, type ListedFact, listFacts, retractProjectFact } from './facts.ts';
export { listTouches } from './list-touches.ts';
export {
  acceptProjectProposals,
  declineProjectProposals,
  listProjectProposals,
  type ProposalRecord,
} from './proposals.ts';
export { type HistoryStep, setFactBudget, showHistory, showMemory } from './show-memory.ts';
