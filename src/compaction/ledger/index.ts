export { extractLedger, type Ledger, ledgerOf } from './extract-ledger.ts';
export { findDecisions } from './find-decisions.ts';
export { findFigures } from './find-figures.ts';
export { findIdentifiers, findUrls } from './find-references.ts';
export { onlyLooks } from './only-looks.ts';
export { type Piece, type Reading, readEntries, textOf, thoughtsIn } from './read-pieces.ts';
export { splitSentences } from './split-sentences.ts';
export { todoKey } from './todo-book.ts';
export { readsFiles, toolActions } from './tool-actions.ts';
