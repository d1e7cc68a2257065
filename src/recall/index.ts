export { type ForgetOptions, forgetInIndexes } from './forget-in-indexes.ts';
export { hasIndexFile } from './index-file/index-file-of.ts';
export { type EmbeddingOptions, fromEmbeddingModel } from './meaning/from-embedding-model.ts';
export { openSentenceModel } from './meaning/sentence-model.ts';
export { openRecall } from './open-recall.ts';
export {
  type CurrentIndex,
  type IndexProgress,
  openSearchIndex,
  type SearchIndex,
  type SearchIndexOptions,
} from './open-search-index.ts';
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
export { type AskedTime, askedTime } from './search/asked-time.ts';
