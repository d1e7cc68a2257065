export { isAscii } from './is-ascii.ts';
export { letterPattern } from './letter-pattern.ts';
export { numberQuestion, withoutNumber } from './loop-question.ts';
export {
  type AnyPart,
  type CallPiece,
  type FilePiece,
  isMedia,
  isNativeSummary,
  isStreamFrame,
  type MessagePiece,
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
