export { buildContext, firstDifference, RECALL_TOKENS } from './build-context.ts';
export type {
  Budget,
  BuiltContext,
  ContextOptions,
  ContextState,
  ContextTool,
  HeadPiece,
  LeftOut,
  Recalled,
} from './context.ts';
export type { ContextMessage } from './context-message.ts';
export { type CountTokens, countContext } from './count-context.ts';
export { cutAnswers, withoutAnswers, withoutUnsendable } from './fit/cut-answers.ts';
export { cutText } from './fit/cut-text.ts';
export { fitContext, planRoom } from './fit/fit-request.ts';
export { labelRecord, NO_BEGINNING } from './render/label-text.ts';
export { recallPiece } from './render/recall-block.ts';
