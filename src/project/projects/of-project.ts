import path from 'node:path';
import { isThroughlineError } from '../../errors.ts';
import type { SessionId, SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { findProject } from './find-project.ts';
import { listSessions, readOwners, storeHome } from './list-projects.ts';
import { type Project, unknownLabel } from './project.ts';

export type IsOfProject = (session: SessionInfo) => boolean;

interface OfProjectOptions {
  /** Who may not know of every project finds only those within reach. */
  readonly find?: (reference: string) => Promise<Project>;
}

/**
 * Tells the sessions of the project that `reference` names, as in `findProject`, and those that call their project just that.
 * An unknown name is one that no session has; one that fits several projects is refused.
 */
export async function ofProject(
  store: Store,
  reference: string,
  { find = (asked) => findProject(store, asked) }: OfProjectOptions = {},
): Promise<IsOfProject> {
  const project = await find(reference).catch((error: unknown) => {
    if (isThroughlineError(error, 'project-not-found')) return undefined;
    throw error;
  });
  const isOf = project ? await belongsTo(store, project) : () => false;
  return (info) => info.state.settings.project === reference || isOf(info);
}

/** Tells the sessions of a project, also of one that nothing is written down about. */
export async function belongsTo(store: Store, project: Project): Promise<IsOfProject> {
  const owners = await readOwners(store);
  const home = storeHome(store);
  // Where a label leads is asked of the file system, so once for each.
  const named = new Map<unknown, boolean>();
  return (info) => {
    const owner = owners.ofSession(info);
    if (owner || project.known) return owner?.id === project.id;
    const { project: label } = info.state.settings;
    const isSo = named.get(label) ?? isNamed(project, { label, home });
    named.set(label, isSo);
    return isSo;
  };
}

/** Of every place, the trash as well. */
export async function idsOf(store: Store, isOf: IsOfProject): Promise<SessionId[]> {
  const ids: SessionId[] = [];
  for await (const info of listSessions(store)) if (isOf(info)) ids.push(info.id);
  return ids;
}

/** Of one that nothing is written down about, there is only what sessions call it, or the store in its folder. */
function isNamed(
  { id, labels, folders }: Project,
  { label, home }: { label: unknown; home: string | undefined },
): boolean {
  if (typeof label !== 'string') return folders.some(({ path: folder }) => folder === home);
  const isWithin = ({ path: folder }: { path: string }) =>
    label === folder || label.startsWith(folder + path.sep);
  return labels.includes(label) || folders.some(isWithin) || unknownLabel(label).id === id;
}
