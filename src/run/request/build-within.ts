import { type BuiltContext, type CountTokens, countContext } from '../../context/index.ts';
import { countSurely } from '../../tokens/index.ts';
import type { Frame } from './build-request.ts';

type Correct = (tokens: number) => number;

/** Makes the context with the estimate of tokens so corrected. */
export type Build = (correct: Correct) => { readonly context: BuiltContext; readonly correct: Correct };

export interface Within {
  readonly model: string;
  readonly tools: Frame['tools'];
  readonly learnt: Correct;
  readonly countTokens?: CountTokens | undefined;
  /** By how much the estimate was raised for this very request when it was sent: it is not counted again. */
  readonly raised?: number | undefined;
}

/** Each try has so much less room at least. */
const LEAST_STEP = 1.01;
/** So many tokens that rounding does not show. */
const SCALED = 1_000_000;

/** Built by the estimate, in less room until the tokenizer counts no more than the room either. */
export function buildWithin(
  build: Build,
  { model, tools, learnt, countTokens, raised: sent }: Within,
): ReturnType<Build> & { readonly raised: number } {
  for (let raised = sent ?? 1; ; ) {
    const factor = raised;
    const correct: Correct = factor === 1 ? learnt : (estimated) => learnt(estimated) * factor;
    const built = build(correct);
    if (sent !== undefined) return { ...built, raised };
    const { tokens, window, reserve } = built.context;
    const room = window - reserve;
    const sum = (count: CountTokens) => countContext(built.context, tools, count);
    const estimated = (tokens * SCALED) / correct(SCALED);
    const counted = countTokens ? sum(countTokens) : countSurely(sum, { model, estimated, room });
    if (counted <= room) return { ...built, raised };
    raised *= Math.max(counted / tokens, 1) * LEAST_STEP;
  }
}
