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
  Rung,
  Seams,
} from './context.ts';
export type { ContextMessage } from './context-message.ts';
export { type CountTokens, countContext } from './count-context.ts';
export { cutAnswers, withoutAnswers, withoutUnsendable } from './cut-answers.ts';
export { cutText } from './cut-text.ts';
export { fitContext } from './fit-request.ts';
export { labelRecord, NO_BEGINNING } from './label-text.ts';
export { planRoom, type Room } from './plan-room.ts';
export { recallPiece } from './recall-block.ts';
