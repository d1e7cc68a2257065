import type { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { pageOfSessions } from '../session/page-of-sessions.ts';
import type { FilterFields } from './filter-fields.ts';

/** A longer query is not the name of a session. */
const LONGEST = 120;

/** Sessions whose title, tags, project or agent have every word of the query. */
export async function sessionsCalled(
  app: App,
  query: string,
  { project, agent, tag, place, most }: z.output<typeof FilterFields> & { readonly most: number },
): Promise<SessionInfo[]> {
  const find = query.replace(/["“”*]/g, ' ').trim();
  if (find === '' || find.length > LONGEST) return [];
  const narrowing = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
  };
  const found: SessionInfo[] = [];
  for (const where of place === undefined ? (['active', 'archived'] as const) : [place]) {
    const page = await pageOfSessions(app, { ...narrowing, find, labels: true, place: where, limit: most });
    found.push(...page.sessions);
  }
  return found.slice(0, most);
}
