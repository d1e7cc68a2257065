export { type FileHistory, type FileTouch, fileHistory } from './files/file-history.ts';
export { type ForgetOptions, forgetInIndexes } from './forget-in-indexes.ts';
export { hasIndexFile } from './index/index-file-of.ts';
export { type EmbeddingOptions, fromEmbeddingModel } from './meaning/from-embedding-model.ts';
export { openSentenceModel } from './meaning/sentence-model.ts';
export { openRecall } from './open-recall.ts';
export {
  type IndexProgress,
  openSearchIndex,
  type SearchIndex,
  type SearchIndexOptions,
} from './open-search-index.ts';
export { gatherOriginals } from './recall/gather-originals.ts';
export { parseEntry, parseSpan } from './recall/parse-asked.ts';
export { type RecalledOriginal, readOriginals } from './recall/read-originals.ts';
export {
  createOpenCheck,
  createRecallTool,
  type Reach,
  type RecallTool,
  type RecallToolOptions,
  searchOpen,
} from './recall/recall-tool.ts';
export { type RecollectOptions, recollect } from './recall/recollect.ts';
export { renderHits, renderOriginals } from './recall/render-found.ts';
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
export { type AskedTime, askedTime } from './words/asked-time.ts';
