import type { z } from 'zod';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import type { App } from '../app.ts';
import { pageOfSessions } from '../session/page-of-sessions.ts';
import type { FilterFields } from './filter-fields.ts';

const MOST = 5;
/** What is longer is no name that a session has. */
const LONGEST = 120;

/** Sessions whose title, tags, project or agent have every word of the query; none where single messages are asked for. */
export async function sessionsCalled(
  app: App,
  query: string,
  { project, agent, tag, place, ...filters }: z.output<typeof FilterFields>,
) {
  const find = query.replace(/["“”*]/g, ' ').trim();
  const { decision, ...others } = filters;
  const asksForMessages = decision || Object.values(others).some((value) => value !== undefined);
  if (find === '' || find.length > LONGEST || asksForMessages) return [];
  const narrowing = {
    ...(project !== undefined && { project }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
  };
  const found: SessionInfo[] = [];
  for (const where of place === undefined ? (['active', 'archived'] as const) : [place]) {
    const page = await pageOfSessions(app, { ...narrowing, find, labels: true, place: where, limit: MOST });
    found.push(...page.sessions);
  }
  return found.slice(0, MOST).map(({ id, state, updatedAt }) => ({
    id,
    title: titleOf(state),
    project: typeof state.settings.project === 'string' ? state.settings.project : null,
    agent: typeof state.settings.agent === 'string' ? state.settings.agent : null,
    tags: [...state.tags],
    updatedAt,
  }));
}
