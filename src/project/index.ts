export { askGit } from './ask-git.ts';
export {
  type Board,
  type BoardPlace,
  boardOf,
  EMPTY_BOARD,
  type Feature,
  findBoard,
  folderFor,
  type Move,
  openBoard,
  type SessionLink,
  type Task,
} from './board/board.ts';
export { describeFeature, describeTask } from './board/describe-board.ts';
export { foldBoard } from './board/fold-board.ts';
export { dependentsOf, featureOn, openDependencies, readBoard, taskOn } from './board/read-board.ts';
export { checkMove, FEATURE_WORKFLOW, STARTED, TASK_WORKFLOW } from './board/workflow.ts';
export { factHistory, wholeHistory } from './facts/fact-history.ts';
export { findFact, lookUpFact } from './facts/find-fact.ts';
export { type FactBudget, type FittedFacts, fitFacts } from './facts/fit-facts.ts';
export { type Memory, type MemoryFact, readMemory } from './facts/read-memory.ts';
export { type ShownFact, showFacts } from './facts/show-facts.ts';
export { addFact, editFact, proposeFact, retractFact, type WrittenFact } from './facts/write-facts.ts';
export { nestedInstructions, PASSED_BY } from './instructions/nested-instructions.ts';
export {
  createInstructionReader,
  type InstructionFile,
  type InstructionReader,
} from './instructions/read-instructions.ts';
export { type MemoryHead, memoryHead, readInstructions } from './memory-head.ts';
export { findPlace, type ProjectPlace } from './projects/find-place.ts';
export { findProject, surveyProjects } from './projects/find-project.ts';
export { findRoot, folderToLink } from './projects/find-root.ts';
export { linkFolder, linkLabel, setBudget } from './projects/link-project.ts';
export { listProjects, placeFolder, projectOfSession, sessionsOf } from './projects/list-projects.ts';
export { belongsTo, type IsOfProject, idsOf, ofProject } from './projects/of-project.ts';
export { type LinkOffer, likelyMoved, OFFER_REASONS, offerLinks } from './projects/offer-links.ts';
export { openProject } from './projects/open-project.ts';
export { folderOf, type Project } from './projects/project.ts';
export { acceptProposals, declineProposals, editProposal } from './proposals/judge-proposals.ts';
export { listProposals, lookUpProposals, type Proposal } from './proposals/list-proposals.ts';
