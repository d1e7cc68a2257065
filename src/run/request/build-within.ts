import { digestEntries } from '../../compaction/index.ts';
import {
  type BuiltContext,
  buildContext,
  type ContextState,
  type CountTokens,
  countContext,
} from '../../context/index.ts';
import type { Entry } from '../../record/index.ts';
import type { Frame } from './build-request.ts';

type Correct = (tokens: number) => number;

/** Each try has so much less room at least. */
const LEAST_STEP = 1.01;

/** Built by the estimate, in less room until the tokenizer counts no more than the room either. */
export function buildWithin(
  state: ContextState,
  { limits, tools }: Frame,
  { learnt, countTokens }: { learnt: Correct; countTokens: CountTokens | undefined },
): { readonly context: BuiltContext; readonly correct: Correct } {
  const digest = (entries: readonly Entry[], maxTokens: number) => digestEntries(entries, { maxTokens });
  for (let correct = learnt; ; ) {
    const context = buildContext(state, { ...limits, correct }, { digest });
    const { tokens, window, reserve } = context;
    const counted = countTokens ? countContext(context, tools, countTokens) : 0;
    if (counted <= window - reserve) return { context, correct };
    const before = correct;
    const factor = Math.max(counted / tokens, 1) * LEAST_STEP;
    correct = (estimated) => before(estimated) * factor;
  }
}
