import type { Budget, ContextTool, HeadPiece } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { TurnOptions } from '../turn-options.ts';

/** What stands around the conversation in a request: seldom another than last time, and nowhere else in the log. */
export interface Frame {
  readonly head: readonly HeadPiece[];
  readonly tools: readonly ContextTool[];
  readonly limits: Omit<Budget, 'correct'>;
}

/** What every provider takes in one request; some take more. */
const MOST_BYTES = 24 * 1024 * 1024;
const MOST_IMAGES = 80;

/** The frame of the requests of a turn. */
export function frameOf(
  { limits }: Pick<OpenedModel, 'limits'>,
  { agent, head = [], budget = {} }: Pick<TurnOptions, 'agent' | 'head' | 'budget'>,
  {
    tools,
    window,
  }: {
    tools: readonly ContextTool[];
    /** The window that the provider turned out to have, if that is less. */
    window?: number | undefined;
  },
): Frame {
  const instructions = agent?.instructions.trim() ? [{ part: 'agent', text: agent.instructions }] : [];
  const declared = budget.window ?? limits.window;
  const whole = window === undefined ? declared : Math.min(declared, window);
  return {
    head: [...instructions, ...head],
    tools,
    limits: {
      maxBytes: MOST_BYTES,
      maxImages: MOST_IMAGES,
      outputLimit: limits.output,
      ...budget,
      window: whole,
    },
  };
}
