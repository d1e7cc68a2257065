import { type BuiltContext, type CountTokens, countContext } from '../../context/index.ts';
import type { Frame } from './build-request.ts';

type Correct = (tokens: number) => number;

/** Makes the context with the estimate of tokens so corrected. */
export type Build = (correct: Correct) => { readonly context: BuiltContext; readonly correct: Correct };

/** Each try has so much less room at least. */
const LEAST_STEP = 1.01;

/** Built by the estimate, in less room until the tokenizer counts no more than the room either. */
export function buildWithin(
  build: Build,
  {
    tools,
    learnt,
    countTokens,
  }: { readonly tools: Frame['tools']; readonly learnt: Correct; readonly countTokens: CountTokens },
): ReturnType<Build> {
  for (let correct = learnt; ; ) {
    const built = build(correct);
    const { tokens, window, reserve } = built.context;
    const counted = countContext(built.context, tools, countTokens);
    if (counted <= window - reserve) return built;
    const before = correct;
    const factor = Math.max(counted / tokens, 1) * LEAST_STEP;
    correct = (estimated) => before(estimated) * factor;
  }
}
