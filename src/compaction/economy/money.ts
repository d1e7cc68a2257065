import { type ModelPrice, pricesAt } from '../../tokens/index.ts';

// What a session costs by when it is compacted. Every request reads the earlier messages from the provider's cache and pays
// for new ones; a compaction pays for its summary, and for reading anew what stands behind the head. Everything that shows or
// decides by money comes from these few functions.

/** How a session goes, by its newest answers. In tokens as the provider counts them. */
export interface Pace {
  /** Requests in a turn. */
  readonly steps: number;
  /** By how much each request is longer than the one before it. */
  readonly growth: number;
  /** Of an answer. */
  readonly output: number;
  /** Share of what was sent before that the provider read from its cache, where it had not expired. */
  readonly cached: number;
  /** Share of the requests that come when it has expired. */
  readonly away: number;
  /** When the newest answer came, in milliseconds; absent if no model has answered. */
  readonly answeredAt?: number;
  /** How long the provider keeps what it read for that, where that is not its usual time. */
  readonly keptMs?: number;
}

/** An agent that reads and writes files, where nothing is known of a session yet. */
export const USUAL_PACE: Pace = { steps: 3, growth: 1_800, output: 300, cached: 1, away: 0.02 };

/** The costs of a session's requests. Absent where the price of its model is unknown. */
export interface Money {
  readonly price: ModelPrice;
  readonly pace: Pace;
  /** The provider has read nothing of the next request lately: all of it is paid anew. */
  readonly cold: boolean;
  /** The writer of automatic summaries: the digest, the model of the session in the chat, or another at its price. */
  readonly writer: 'digest' | 'chat' | ModelPrice;
}

/** Tokens of the question behind a chat, and of the instructions around a transcript. */
const QUESTION_TOKENS = 700;
const MILLION = 1_000_000;

interface Rates {
  readonly input: number;
  /** Of what was sent before, while it is warm, and on an average. */
  readonly warm: number;
  readonly read: number;
  readonly write: number;
  readonly output: number;
}

/** The prices of a request of so many tokens. */
function ratesOf({ price, pace }: Pick<Money, 'price' | 'pace'>, tokens: number): Rates {
  const { input, output, cacheRead = input, cacheWrite: write = input } = pricesAt(price, tokens);
  const warm = pace.cached * cacheRead + (1 - pace.cached) * input;
  return { input, warm, read: (1 - pace.away) * warm + pace.away * write, write, output };
}

/** Dollars of so many requests from a context of this size on. `cold`: the first of them reads nothing from a cache. */
export function costOfRequests(
  money: Pick<Money, 'price' | 'pace'>,
  { from, requests, cold = false }: { from: number; requests: number; cold?: boolean },
): number {
  const { growth, output: said } = money.pace;
  const { above = Number.POSITIVE_INFINITY } = money.price.long ?? {};
  const fit = Math.max(0, Math.floor((above - from) / Math.max(1, growth)) + 1);
  if (from <= above && requests > fit)
    return (
      costOfRequests(money, { from, requests: fit, cold }) +
      costOfRequests(money, { from: from + fit * growth, requests: requests - fit })
    );
  const { read, write, output } = ratesOf(money, from);
  const sent = requests * from + (growth * requests * (requests - 1)) / 2;
  const anew = cold ? from * (write - read) : 0;
  return (sent * read + anew + requests * (growth * write + said * output)) / MILLION;
}

/** Dollars of a turn that begins with a context of this size. */
export function costOfTurn(
  money: Pick<Money, 'price' | 'pace'>,
  from: number,
  { cold = false }: { cold?: boolean } = {},
): number {
  const pace = { ...money.pace, away: 0 };
  return costOfRequests({ ...money, pace }, { from, requests: pace.steps, cold });
}

export interface Compacting {
  /** Tokens of the context, of what is summarised in it, of what stands before that and stays, and of the summary. */
  readonly context: number;
  readonly range: number;
  readonly head: number;
  readonly summary: number;
  /** Tokens of the context behind it. */
  readonly after: number;
}

/** Dollars of the summary. */
export function costOfSummary(
  { price, pace }: Pick<Money, 'price' | 'pace'>,
  writer: Money['writer'],
  { context, range, summary, cold }: Pick<Compacting, 'context' | 'range' | 'summary'> & { cold: boolean },
): number {
  if (writer === 'digest') return 0;
  const asked = ratesOf({ price: writer === 'chat' ? price : writer, pace }, range);
  const own = (range + QUESTION_TOKENS) * asked.input + summary * asked.output;
  if (writer !== 'chat') return own / MILLION;
  const { warm, write, output } = ratesOf({ price, pace }, context);
  const chat = context * (cold ? write : warm) + QUESTION_TOKENS * write + summary * output;
  return Math.min(chat, own) / MILLION;
}

/** Dollars of a compaction: the summary, and what the next request reads anew because of it. */
export function costOfCompaction(
  money: Pick<Money, 'price' | 'pace'>,
  writer: Money['writer'],
  { cold, ...sizes }: Compacting & { cold: boolean },
): number {
  const { warm, write } = ratesOf(money, sizes.after);
  const anew = Math.max(0, cold ? sizes.after : sizes.after - sizes.head) * (write - warm);
  return costOfSummary(money, writer, { ...sizes, cold }) + anew / MILLION;
}

/** After how many turns a compaction has paid for itself; `undefined` if it never does. */
export function turnsToPay(cost: number, before: number, after: number): number | undefined {
  if (cost <= 0) return 0;
  return before > after ? Math.ceil(cost / (before - after)) : undefined;
}
