import type { Budget, ContextTool, HeadPiece } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
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

export interface FrameOptions
  extends Pick<TurnOptions, 'agent' | 'head' | 'budget'>,
    Pick<OpenedModel, 'limits'> {
  readonly tools: readonly ContextTool[];
  /** The window that the provider turned out to have, if that is less. */
  readonly smaller?: number | undefined;
}

/** The frame of the requests of a turn. The session's own system prompt is in it on every way to a model. */
export function frameOf(
  { state }: Pick<SessionInfo, 'state'>,
  { limits, agent, head = [], budget = {}, tools, smaller }: FrameOptions,
): Frame {
  const { systemPrompt } = state.settings;
  const system = systemPrompt ? [{ part: 'system', text: systemPrompt }] : [];
  const instructions = agent?.instructions.trim() ? [{ part: 'agent', text: agent.instructions }] : [];
  const declared = budget.window ?? limits.window;
  const whole = smaller === undefined ? declared : Math.min(declared, smaller);
  return {
    head: [...instructions, ...system, ...head],
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
