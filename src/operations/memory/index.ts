export { acceptProjectProposals } from './accept-proposals.ts';
export { addProjectFact } from './add-fact.ts';
export { declineProjectProposals } from './decline-proposals.ts';
export { editProjectFact } from './edit-fact.ts';
export { listFacts } from './list-facts.ts';
export { listOpenProposals } from './list-proposals.ts';
export { retractProjectFact } from './retract-fact.ts';
export { showHistory } from './show-history.ts';
