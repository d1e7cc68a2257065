export { openRecall } from './open-recall.ts';
export type {
  CatchUpOptions,
  CatchUpReport,
  Embedder,
  Filters,
  Hit,
  Neighbour,
  RangeIn,
  Recall,
  RecallOptions,
  RecallStats,
  SearchOptions,
} from './recall.ts';
