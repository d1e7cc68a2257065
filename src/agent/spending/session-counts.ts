import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { sayNumber } from '../../text/index.ts';
import { readSpending, type Spending } from './fold-spending.ts';

/**
 * The numbers of a session for people, the same in every place: its questions, and the tokens that its answers and summaries
 * used, as reported call by call. The tokens of a restoration are counted apart.
 */
export interface SessionCounts {
  readonly queries: number;
  /** Absent if no call was reported: a session that another program wrote may be without. */
  readonly tokens?: number;
}

export async function countSession(store: Store, info: SessionInfo): Promise<SessionCounts> {
  return countsOf(info, await readSpending(store, info));
}

export function countsOf({ totals: { queries } }: SessionInfo, { session }: Spending): SessionCounts {
  return { queries, ...(session.calls > session.unreported && { tokens: session.tokens }) };
}

/** `5 queries, 2,345 tokens`. */
export function sayCounts({ queries, tokens }: SessionCounts): string {
  const asked = `${sayNumber(queries)} ${queries === 1 ? 'query' : 'queries'}`;
  if (tokens === undefined) return asked;
  return `${asked}, ${sayNumber(tokens)} ${tokens === 1 ? 'token' : 'tokens'}`;
}
