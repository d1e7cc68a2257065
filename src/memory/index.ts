export { factHistory, type HistoryLine, wholeHistory } from './facts/fact-history.ts';
export type { ContradictionKind } from './facts/find-contradictions.ts';
export { findFact, lookUpFact } from './facts/find-fact.ts';
export {
  FACT_TOKENS,
  type FactBudget,
  type FittedFacts,
  fitFacts,
  type LeftOutFact,
} from './facts/fit-facts.ts';
export {
  type FactStatus,
  type FactStep,
  type Memory,
  type MemoryFact,
  readMemory,
} from './facts/read-memory.ts';
export { type ShownFact, showFacts } from './facts/show-facts.ts';
export {
  addFact,
  editFact,
  proposeFact,
  retractFact,
  type StateOptions,
  type WriteOptions,
  type WrittenFact,
} from './facts/write-facts.ts';
export {
  type FileHistory,
  type FileHistoryOptions,
  type FileTouch,
  fileHistory,
} from './files/file-history.ts';
export {
  type NestedInstructions,
  nestedInstructions,
  PASSED_BY,
} from './instructions/nested-instructions.ts';
export {
  createInstructionReader,
  type InstructionFile,
  type InstructionReader,
} from './instructions/read-instructions.ts';
export { type MemoryHead, type MemoryHeadOptions, memoryHead, readInstructions } from './memory-head.ts';
export { type FindPlaceOptions, findPlace, type Place } from './projects/find-place.ts';
export { findProject } from './projects/find-project.ts';
export { folderToLink } from './projects/find-root.ts';
export { linkFolder, linkLabel, setBudget } from './projects/link-project.ts';
export {
  type FolderPlace,
  listProjects,
  placeFolder,
  projectOfSession,
  readOwners,
  sessionsOf,
} from './projects/list-projects.ts';
export {
  belongsTo,
  type IsOfProject,
  idsOf,
  type OfProjectOptions,
  ofProject,
} from './projects/of-project.ts';
export { type LinkOffer, likelyMoved, OFFER_REASONS, offerLinks } from './projects/offer-links.ts';
export { openProject } from './projects/open-project.ts';
export { folderOf, type Project, type ProjectFolder } from './projects/project.ts';
export { type SurveyedProject, surveyProjects } from './projects/survey-projects.ts';
export { acceptProposals, declineProposals, editProposal } from './proposals/judge-proposals.ts';
export { listProposals, lookUpProposals, type Proposal, type Proposals } from './proposals/list-proposals.ts';
