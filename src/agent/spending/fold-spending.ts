import { addUsage, type Entry, NO_USAGE, type SessionInfo, type Usage } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { sayDollars } from '../../text/index.ts';
import { callIn, type ModelCall } from './call-in.ts';

/** What some calls used and cost. */
export interface SpendingSum {
  readonly calls: number;
  /** Tokens as reported; `cost` is not in here. */
  readonly usage: Usage;
  /** Input and output. */
  readonly tokens: number;
  /** US dollars, of the calls whose price is known. */
  readonly cost: number;
  /** Calls with tokens of unknown price. With any, `cost` is only a part of the amount. */
  readonly unpriced: number;
  /** Calls that were never reported on, because they were cut short. What they used is in no number. */
  readonly unreported: number;
}

/**
 * What a session used and cost, call by call. It adds up at every level: `session` is answers and compactions,
 * `combined` is that and the restoration.
 */
export interface Spending {
  readonly answers: SpendingSum;
  readonly compactions: SpendingSum;
  readonly session: SpendingSum;
  readonly restoration: SpendingSum;
  readonly combined: SpendingSum;
}

const NO_SUM: SpendingSum = {
  calls: 0,
  usage: NO_USAGE,
  tokens: 0,
  cost: 0,
  unpriced: 0,
  unreported: 0,
};

export const NO_SPENDING: Spending = {
  answers: NO_SUM,
  compactions: NO_SUM,
  session: NO_SUM,
  restoration: NO_SUM,
  combined: NO_SUM,
};

/** The spending after one more entry; the same object if the entry is no model call. */
export function foldSpending(spending: Spending, entry: Entry): Spending {
  const call = callIn(entry);
  return call ? addCall(spending, call) : spending;
}

const LINES = { answer: 'answers', compaction: 'compactions', restoration: 'restoration' } as const;

function addCall(spending: Spending, call: ModelCall): Spending {
  const line = LINES[call.for];
  const lines = { ...spending, [line]: addSum(spending[line], sumOf(call)) };
  // Made from the lines each time, so that no total can ever differ from what it is the total of.
  const session = addSum(lines.answers, lines.compactions);
  return { ...lines, session, combined: addSum(session, lines.restoration) };
}

function sumOf({ usage: reported, cost }: ModelCall): SpendingSum {
  if (!reported) return { ...NO_SUM, calls: 1, unreported: 1 };
  const { cost: _, ...usage } = reported;
  const tokens = usage.inputTokens + usage.outputTokens;
  return {
    calls: 1,
    usage,
    tokens,
    cost: cost ?? 0,
    unpriced: cost === undefined && tokens > 0 ? 1 : 0,
    unreported: 0,
  };
}

function addSum(a: SpendingSum, b: SpendingSum): SpendingSum {
  return {
    calls: a.calls + b.calls,
    usage: addUsage(a.usage, b.usage),
    tokens: a.tokens + b.tokens,
    cost: a.cost + b.cost,
    unpriced: a.unpriced + b.unpriced,
    unreported: a.unreported + b.unreported,
  };
}

const PAGE = 500;

/** Every model call of a session, oldest first. What a fork shares with its parent was paid for there. */
export async function* readCalls(store: Store, info: SessionInfo): AsyncGenerator<ModelCall> {
  for await (const entry of ownEntries(store, info)) {
    const call = callIn(entry);
    if (call) yield call;
  }
}

/** What a session used and cost: a pure fold of its part of the log. */
export async function readSpending(store: Store, info: SessionInfo): Promise<Spending> {
  let spending = NO_SPENDING;
  for await (const entry of ownEntries(store, info)) spending = foldSpending(spending, entry);
  return spending;
}

async function* ownEntries(store: Store, { id, parent, head }: SessionInfo) {
  for (let after = parent?.relation === 'fork' ? parent.seq : 0; after < head; ) {
    const page = await store.read(id, { after, upTo: head, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)!.seq;
  }
}

/** The cost, for people: an amount, at least an amount, or unknown. */
export function sayCost({ calls, cost, unpriced, unreported }: SpendingSum): string {
  const unknown = unpriced + unreported;
  if (unknown === 0) return sayDollars(cost);
  const which = `${unknown} ${unknown === 1 ? 'call' : 'calls'} of unknown price`;
  return unknown === calls || cost === 0 ? 'price unknown' : `at least ${sayDollars(cost)} (${which})`;
}
