export {
  type Board,
  EMPTY_BOARD,
  type Feature,
  folderFor,
  type Move,
  type SessionLink,
  type Task,
} from './board.ts';
export {
  describeFeature,
  describeTask,
  type FeatureDescription,
  type TaskDescription,
} from './describe-board.ts';
export { foldBoard } from './fold-board.ts';
export { type BoardPlace, boardOf, findBoard, openBoard } from './open-board.ts';
export { dependentsOf, featureOn, openDependencies, readBoard, taskOn } from './read-board.ts';
export { checkMove, FEATURE_WORKFLOW, STARTED, TASK_WORKFLOW, type Workflow } from './workflow.ts';
