import type { Filters, Recall } from '../../recall/index.ts';
import type { SessionInfo } from '../../record/index.ts';

/** Calls that are looked through, newest first: a file may have been edited many times in one session. */
const MOST_CALLS = 200;
/** One name with an ending, or one path. */
const PATH = /^(?=.*\w)(?!\w+:\/\/)[^\s"]*(?:[/\\][^\s"]+|[^\s".]\.[A-Za-z]\w{0,7})$/u;

/** Sessions in which a tool was called on the file that the query names; the newest call first. */
export async function sessionsOnFile(
  recall: Recall,
  query: string,
  { filters, most, open }: Looking,
): Promise<SessionInfo[]> {
  const file = query.replace(/["“”]/g, '').trim();
  if (!PATH.test(file)) return [];
  const calls = await recall.search('', { ...filters, file, limit: MOST_CALLS });
  const found: SessionInfo[] = [];
  for (const id of new Set(calls.map(({ session }) => session))) {
    const info = await open(id);
    if (info) found.push(info);
    if (found.length >= most) break;
  }
  return found;
}

interface Looking {
  readonly filters: Filters;
  readonly most: number;
  /** Absent for a session that the caller does not reach. */
  readonly open: (id: string) => Promise<SessionInfo | undefined>;
}
