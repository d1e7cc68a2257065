import { ofProject } from '../../memory/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { listFitting, nameFits } from '../../session/index.ts';
import type { SessionPage, SessionQuery } from '../../store/index.ts';
import { findReachable, reachesSession } from '../access.ts';
import type { Call } from '../call.ts';

/** A page of what the token reaches, the project has, and is called so. */
export async function listSessions(
  call: Pick<Call, 'store' | 'access'>,
  { project, find, ...query }: SessionQuery & { readonly find?: string },
): Promise<SessionPage> {
  const { store, access } = call;
  if (project === undefined && find === undefined && access.projects === null) return store.list(query);
  const isOfProject = project === undefined ? () => true : await reachableOf(call, project);
  const isCalled = find === undefined ? () => true : nameFits(find);
  const reaches = reachByLabel(call);
  return listFitting(
    store,
    query,
    async (info) => isCalled(info) && isOfProject(info) && (await reaches(info)),
  );
}

/** Tells the sessions of a project that is within reach. Whether each of them is, too, is asked apart. */
export function reachableOf({ store, access }: Pick<Call, 'store' | 'access'>, project: string) {
  return ofProject(store, project, { find: (reference) => findReachable(store, access, reference) });
}

/** Whether a session is within reach depends on what it calls its project, so that is asked once for each name. */
function reachByLabel({ store, access }: Pick<Call, 'store' | 'access'>) {
  const known = new Map<unknown, Promise<boolean>>();
  return (info: SessionInfo): Promise<boolean> => {
    const { project: label } = info.state.settings;
    const reaches = known.get(label) ?? reachesSession(store, access, info);
    known.set(label, reaches);
    return reaches;
  };
}
