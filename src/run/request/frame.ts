import type { Budget, ContextTool, HeadPiece } from '../../context/index.ts';

/** What stands around the conversation in a request: seldom another than last time, and nowhere else in the log. */
export interface Frame {
  readonly head: readonly HeadPiece[];
  readonly tools: readonly ContextTool[];
  readonly limits: Omit<Budget, 'correct'>;
}
