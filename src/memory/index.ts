export { factHistory, type HistoryLine, wholeHistory } from './facts/fact-history.ts';
export type { ContradictionKind } from './facts/find-contradictions.ts';
export { findFact, shortId } from './facts/find-fact.ts';
export {
  FACT_TOKENS,
  type FactBudget,
  type FittedFacts,
  fitFacts,
  type LeftOutFact,
} from './facts/fit-facts.ts';
export type { FactStatus, FactStep, Memory, MemoryFact } from './facts/fold-facts.ts';
export { readMemory } from './facts/read-memory.ts';
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
export { findProject } from './projects/find-project.ts';
export { folderToLink } from './projects/find-root.ts';
export { linkFolder, linkLabel, setBudget } from './projects/link-project.ts';
export { listProjects, projectOfSession, readOwners, sessionsOf } from './projects/list-projects.ts';
export {
  belongsTo,
  type IsOfProject,
  idsOf,
  type OfProjectOptions,
  ofProject,
} from './projects/of-project.ts';
export { type LinkOffer, likelyMoved, offerLinks } from './projects/offer-links.ts';
export { openProject } from './projects/open-project.ts';
export { type FolderPlace, placeFolder } from './projects/place-folder.ts';
export { folderOf, type Project, type ProjectFolder } from './projects/project.ts';
export { type SurveyedProject, surveyProjects } from './projects/survey-projects.ts';
export { acceptProposals, declineProposals, editProposal } from './proposals/judge-proposals.ts';
export { listProposals, type Proposal, type Proposals } from './proposals/list-proposals.ts';
