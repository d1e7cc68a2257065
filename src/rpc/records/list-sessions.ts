import path from 'node:path';
import { isThroughlineError } from '../../errors.ts';
import { type Project, readOwners } from '../../memory/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { SessionPage, SessionQuery, Store } from '../../store/index.ts';
import { findReachable, reachesSession } from '../access.ts';
import type { Call } from '../call.ts';

/** Read at once where not everything that is read is shown. */
const PAGE = 200;

type Fits = (info: SessionInfo) => boolean | Promise<boolean>;

/** A page of what the token reaches and the project has. It is as long as it can be, however few of the sessions fit. */
export async function listSessions(
  call: Pick<Call, 'store' | 'access'>,
  { project, ...query }: SessionQuery,
): Promise<SessionPage> {
  const { store, access } = call;
  if (project === undefined && access.projects === null) return store.list(query);
  const isOfProject = project === undefined ? () => true : await sessionsOf(call, project);
  const reaches = reachByLabel(call);
  return listFitting(store, query, async (info) => isOfProject(info) && (await reaches(info)));
}

/** Whether a session is within reach depends on what it calls its project, so that is asked once for each name. */
function reachByLabel({ store, access }: Pick<Call, 'store' | 'access'>): Fits {
  const known = new Map<unknown, Promise<boolean>>();
  return (info) => {
    const { project: label } = info.state.settings;
    const reaches = known.get(label) ?? reachesSession(store, access, info);
    known.set(label, reaches);
    return reaches;
  };
}

async function listFitting(store: Store, query: SessionQuery, fits: Fits): Promise<SessionPage> {
  const sessions: SessionInfo[] = [];
  for (let { cursor } = query; ; ) {
    const from = cursor === undefined ? {} : { cursor };
    const page = await store.list({ ...query, ...from, limit: PAGE });
    for (const [index, info] of page.sessions.entries()) {
      if (!(await fits(info))) continue;
      sessions.push(info);
      if (sessions.length < query.limit) continue;
      // The cursor of a page is at its end, so that is where this one has to end.
      const { cursor: here } = await store.list({ ...query, ...from, limit: index + 1 });
      return { sessions, ...(here !== undefined && { cursor: here }) };
    }
    cursor = page.cursor;
    if (cursor === undefined) return { sessions };
  }
}

/**
 * Which sessions belong to a project: as on the command line it is named by its id or the start of it, its name, one of its
 * folders, or what sessions call it. A name that nobody knows yet is one that no session has.
 */
async function sessionsOf(
  { store, access }: Pick<Call, 'store' | 'access'>,
  reference: string,
): Promise<(info: SessionInfo) => boolean> {
  const project = await findReachable(store, access, reference).catch((error: unknown) => {
    if (isThroughlineError(error, 'project-not-found')) return undefined;
    throw error;
  });
  if (!project) return () => false;
  const owners = await readOwners(store);
  return (info) => {
    const owner = owners.ofSession(info);
    return owner ? owner.id === project.id : isNamed(project, info);
  };
}

/** Of one that nothing is written down about, there is only what sessions call it. */
function isNamed({ known, labels, folders }: Project, { state }: SessionInfo): boolean {
  const label = state.settings.project;
  if (known || typeof label !== 'string') return false;
  const isWithin = ({ path: folder }: { path: string }) =>
    label === folder || label.startsWith(folder + path.sep);
  return labels.includes(label) || folders.some(isWithin);
}
