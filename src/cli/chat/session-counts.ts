import type { SessionInfo } from '../../record/index.ts';
import { readSpending, type Spending } from '../../run/index.ts';
import type { Store } from '../../store/index.ts';
import { sayCount } from '../terminal/say.ts';

/**
 * What people are told of a session, the same wherever it is told: how much was asked, and how many tokens its answers
 * and summaries used, as reported call by call. What a restoration used is counted apart.
 */
export interface SessionCounts {
  readonly queries: number;
  /** Absent if no call was reported: whoever wrote the session elsewhere may not have said. */
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
  const asked = sayCount(queries, 'query', 'queries');
  return tokens === undefined ? asked : `${asked}, ${sayCount(tokens, 'token')}`;
}
