export { measuredIn, quotedIn } from './claims/figures.ts';
export { createOutcomeReader, readOutcomes } from './claims/outcomes.ts';
export { plainText } from './claims/plain-text.ts';
export {
  claimsApproval,
  claimsRequest,
  claimsWondering,
  consents,
  givesOrders,
  refuses,
  wishes,
  withoutYes,
  wonders,
} from './claims/request-words.ts';
export {
  contentWords,
  figuresIn,
  hasFigures,
  isEmpty,
  namesSomething,
  sharedWords,
  withDigits,
} from './language/content-words.ts';
export {
  announces,
  asks,
  type Cues,
  cuesFor,
  mainLanguage,
  offers,
  opensDone,
  REMINDS,
  shifts,
} from './language/cues.ts';
export {
  ANNOUNCES,
  functionWords,
  GREETS,
  meaningOf,
  RULES,
  SAYS_OUTCOME,
  SAYS_WHEN,
  SPEAKS_OF_SELF,
} from './language/function-words.ts';
export { intends } from './language/intends.ts';
export { DIGIT, FULL_STOP, LINE_END, LOWER, SPACE, SPACELESS, UPPER } from './language/letter-kinds.ts';
export {
  type Act,
  createLine,
  Letters,
  type Line,
  type LineSection,
  withoutItems,
} from './language/lines.ts';
export { COMMON, DATE, MONTH, measuresIn } from './language/measures.ts';
export { splitSentences } from './language/split-sentences.ts';
export { endsWide, joined, readStatements, type Statement } from './language/statements.ts';
export { hashLetters, stemEnd } from './language/word-hash.ts';
export { extractLedger, type Ledger, ledgerOf } from './ledger/extract-ledger.ts';
export { findDecisions } from './ledger/find-decisions.ts';
export { findFigures, findIdentifiers, findUrls } from './ledger/find-items.ts';
export { todoKey } from './ledger/todo-book.ts';
export { letterPattern } from './letter-pattern.ts';
export { numberQuestion, withoutNumber } from './loop-question.ts';
export {
  type AnyPart,
  type CallPiece,
  type FilePiece,
  isMedia,
  isNativeSummary,
  isStreamFrame,
  type ResultPiece,
  readPart,
} from './read-part.ts';
export { remember, rememberWords } from './remember.ts';
export { sayCount, sayDollars, sayShare, sayTokenCount, sayTokens } from './say-amount.ts';
export { sayFit } from './say-fit.ts';
export { type SayOptions, sayMessage, sayOutput, sayPart, sayValue } from './say-message.ts';
export { sayNumber } from './say-number.ts';
export { sayTitle } from './say-title.ts';
export { sayWhy } from './say-why.ts';
export { foldTalk, tellingWords, tellsAnything } from './talk-words.ts';
export { onlyLooks } from './tool-actions/only-looks.ts';
export {
  type Piece,
  piecesOfEntries,
  pieceTextOf,
  type Reading,
  thoughtsIn,
} from './tool-actions/read-pieces.ts';
export { readsFiles, toolActions } from './tool-actions/tool-actions.ts';
