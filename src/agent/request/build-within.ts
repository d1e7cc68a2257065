import type { digestEntries } from '../../compaction/index.ts';
import {
  type BuiltContext,
  type ContextOptions,
  type CountTokens,
  countContext,
} from '../../context/index.ts';
import type { Entry, Summary } from '../../record/index.ts';
import { countSurely, countWithTokenizer } from '../../tokens/index.ts';
import type { RequestFrame } from './build-request.ts';

type Correct = (tokens: number) => number;

type Digest = NonNullable<ContextOptions['digest']>;

/** Makes the context with the estimate of tokens so corrected. */
export type Build = (
  correct: Correct,
  digest: Digest,
) => { readonly context: BuiltContext; readonly correct: Correct };

interface Within {
  readonly model: string;
  readonly tools: RequestFrame['tools'];
  readonly learnt: Correct;
  readonly countTokens?: CountTokens | undefined;
  /** By how much the estimate was raised for this very request when it was sent: it is not counted again. */
  readonly raised?: number | undefined;
}

/** Each try has so much less room at least. */
const LEAST_STEP = 1.01;
/** How much higher than ours a provider's counts may be of which none is known yet. */
const UNSEEN = 1.5;
/** So many tokens that rounding does not show. */
const SCALED = 1_000_000;

/** Built by the estimate, in less room until the tokenizer counts no more than the room either. */
export async function buildWithin(build: Build, within: Within): Promise<Built> {
  try {
    return tryWithin(build, within);
  } catch (error) {
    if (!(error instanceof DigestMissing)) throw error;
    ({ digestEntries: loaded } = await import('../../compaction/index.ts'));
    return tryWithin(build, within);
  }
}

type Built = ReturnType<Build> & { readonly raised: number };

/** Loaded for the first request that does not fit without it: its lists of words are a fifth of all code. */
let loaded: typeof digestEntries | undefined;

class DigestMissing extends Error {}

function digest(entries: readonly Entry[], maxTokens: number): Summary {
  if (!loaded) throw new DigestMissing();
  return loaded(entries, { maxTokens });
}

function tryWithin(build: Build, { model, tools, learnt, countTokens, raised: sent }: Within): Built {
  const isCounted = () =>
    countTokens !== undefined || countWithTokenizer(model) !== undefined || learnt(SCALED) !== SCALED;
  for (let raised = sent ?? 1; ; ) {
    const factor = raised;
    const correct: Correct = factor === 1 ? learnt : (estimated) => learnt(estimated) * factor;
    const built = build(correct, digest);
    if (sent !== undefined) return { ...built, raised };
    const { tokens, window, reserve, steps } = built.context;
    // A message that has to be cut is cut where every provider takes it: a refusal costs a call, and some cut it themselves.
    if (raised === 1 && steps.includes('cut-messages') && !isCounted()) {
      raised = UNSEEN;
      continue;
    }
    const room = window - reserve;
    const sum = (count: CountTokens) => countContext(built.context, tools, count);
    const estimated = (tokens * SCALED) / correct(SCALED);
    const counted = countTokens ? sum(countTokens) : countSurely(sum, { model, estimated, room });
    if (counted <= room) return { ...built, raised };
    raised *= Math.max(counted / tokens, 1) * LEAST_STEP;
  }
}
