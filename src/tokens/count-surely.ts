import { countExactly, countWithTokenizer } from './tokenizers.ts';

/** Of a request: the sum over its texts of what `count` makes of each, and what everything else in it takes. */
type SumTexts = (count: (text: string) => number) => number;

interface Sure {
  readonly model?: string | undefined;
  /** Of the same request. */
  readonly estimated: number;
  /** The most that it may have. */
  readonly room: number;
}

/** An estimate is taken as it is for another provider's model as long as it is below this share of the room. */
const FAR_BELOW = 1 / 3;
/** The estimate is as far below o200k now and then where nothing is odd. */
const ORDINARY = 1.05;
/** The most that another tokenizer is taken to be off where o200k is. */
const MOST_OFF = 2;

/**
 * Tokens of a request for a model without a tokenizer of the host's own, at least as many as matter: 0 where it cannot have
 * more than the room. Exact where the tokenizer is known; by o200k without a model. For another provider's model o200k says how
 * odd the text is: the further the estimate is off o200k, the further it may be off a tokenizer that is not published.
 */
export function countSurely(sum: SumTexts, { model, estimated, room }: Sure): number {
  // Every token has a byte at least.
  if (sum((text) => Buffer.byteLength(text)) <= room) return 0;
  const exact =
    model === undefined ? (text: string) => countExactly('o200k', text) : countWithTokenizer(model);
  if (exact) return sum(exact);
  if (estimated < room * FAR_BELOW) return 0;
  const tokens = sum((text) => countExactly('o200k', text));
  const off = tokens / estimated;
  return off > ORDINARY ? Math.ceil(tokens * Math.min(off, MOST_OFF)) : 0;
}
