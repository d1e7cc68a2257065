import {
  addUsage,
  type Entry,
  foldEntry,
  NO_USAGE,
  type SessionState,
  type Totals,
  type Usage,
} from '../record/index.ts';
import { usageOf } from './entry-format.ts';

/** What a session's log adds up to; every field can be had again by folding the log from its start. */
export interface Tally {
  readonly head: number;
  readonly updatedAt: number;
  readonly totals: Totals;
  readonly usage: Usage;
  readonly state: SessionState;
}

export const NO_TOTALS: Totals = { messages: 0, queries: 0, tokens: 0 };

/** The tally of a session without its own entries, on top of those it shares with its parent. */
export function emptyTally(born: {
  head: number;
  createdAt: number;
  totals: Totals;
  state: SessionState;
}): Tally {
  return {
    head: born.head,
    updatedAt: born.createdAt,
    totals: born.totals,
    usage: NO_USAGE,
    state: born.state,
  };
}

export function tallyEntry(tally: Tally, entry: Entry): Tally {
  const { body, seq, at } = entry;
  const usage = usageOf(body);
  const note = body.kind === 'mark' || body.kind === 'setting';
  return {
    head: seq,
    updatedAt: note ? tally.updatedAt : Math.max(tally.updatedAt, at),
    totals: countEntry(tally.totals, entry),
    usage: usage ? addUsage(tally.usage, usage) : tally.usage,
    state: foldEntry(tally.state, entry),
  };
}

/** Running totals stand beside every entry, so a fork at any point knows its own in one read. */
export function countEntry(totals: Totals, { body, tokens }: Pick<Entry, 'body' | 'tokens'>): Totals {
  if (body.kind !== 'message') return totals;
  return {
    messages: totals.messages + 1,
    queries: totals.queries + (body.role === 'user' ? 1 : 0),
    tokens: totals.tokens + tokens,
  };
}
