import type { SessionInfo } from '../../record/index.ts';
import { listFitting, nameFits } from '../../session/index.ts';
import type { SessionPage, SessionQuery } from '../../store/index.ts';
import { findReachable, reachesSession } from '../access.ts';
import type { App } from '../app.ts';

type Reaching = Pick<App, 'store' | 'access'>;

/** A page of the sessions that the caller reaches, that belong to the project, and that are called so. */
export async function pageOfSessions(
  app: Reaching,
  {
    project,
    find,
    labels = false,
    spoken = false,
    ...query
  }: SessionQuery & {
    readonly find?: string;
    /** The query may also be the project or the agent. */
    readonly labels?: boolean;
    readonly spoken?: boolean;
  },
): Promise<SessionPage> {
  const { store, access } = app;
  if (project === undefined && find === undefined && !spoken && access.projects === null)
    return store.list(query);
  const isOfProject = project === undefined ? () => true : await reachableOf(app, project);
  const isCalled = find === undefined ? () => true : nameFits(find, { labels });
  const reaches = reachByLabel(app);
  return listFitting(
    store,
    query,
    async (info) =>
      (!spoken || !isSilent(info)) && isCalled(info) && isOfProject(info) && (await reaches(info)),
  );
}

/** Nothing was said in it. One that was given a title is meant for something; a resumed one has the title of the one before. */
function isSilent({ totals, state }: SessionInfo): boolean {
  return totals.messages === 0 && (state.restoration !== undefined || state.title === undefined);
}

/** Tells the sessions of a project within reach. Whether each of them is within reach, too, is asked apart. */
export async function reachableOf({ store, access }: Reaching, project: string) {
  // A plain list starts without the module of projects.
  const { ofProject } = await import('../../memory/index.ts');
  return ofProject(store, project, { find: (reference) => findReachable(store, access, reference) });
}

/** The reach of a session depends on the label of its project, so it is asked once for each label. */
function reachByLabel({ store, access }: Reaching) {
  const known = new Map<unknown, Promise<boolean>>();
  return (info: SessionInfo): Promise<boolean> => {
    const { project: label } = info.state.settings;
    const reaches = known.get(label) ?? reachesSession(store, access, info);
    known.set(label, reaches);
    return reaches;
  };
}
