import { isThroughlineError } from '../errors.ts';
import type { Project } from '../project/index.ts';
import { type SessionInfo, storedPlaceOf } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { refused } from './refused.ts';

/** The caller, and how far it reaches. */
export interface Access {
  /** A name, for people and for the sources of facts. */
  readonly user: string;
  readonly mayWrite: boolean;
  /** Projects by id, name, label or folder; `null` for everything. */
  readonly projects: readonly string[] | null;
}

/** The person at the machine: the command line, and the token of a launch. */
export const OWNER: Access = { user: 'owner', mayWrite: true, projects: null };

/** True for a session within reach. One out of reach does not exist for the caller. */
export async function reachesSession(
  store: Store,
  { projects }: Access,
  info: SessionInfo,
): Promise<boolean> {
  if (projects === null) return true;
  const { project: label } = info.state.settings;
  if (label !== undefined && projects.includes(label)) return true;
  const { projectOfSession } = await import('../project/index.ts');
  const project = await projectOfSession(store, info);
  return project !== undefined && reachesProject({ projects }, project);
}

/** True for a conversation within reach. The log of a project's memory has separate operations. */
export async function isShown(store: Store, access: Access, info: SessionInfo): Promise<boolean> {
  return storedPlaceOf(info.state) !== 'memory' && (await reachesSession(store, access, info));
}

export function reachesProject(
  { projects }: Pick<Access, 'projects'>,
  { id, name, labels, folders, known }: Project,
): boolean {
  if (projects === null) return true;
  // Any folder can be named, and an unknown one is called after its last part: that opens nothing.
  const called = known || folders.length === 0 ? [name] : [];
  const names = [id, ...called, ...labels, ...folders.map(({ path }) => path)];
  return names.some((each) => projects.includes(each));
}

/** The project that the reference means. One out of reach is refused like one that does not exist. */
export async function findReachable(store: Store, access: Access, reference: string): Promise<Project> {
  const { findProject } = await import('../project/index.ts');
  const project = await findProject(store, reference).catch((error: unknown) => {
    // Candidates out of reach are not named, and a missing project is refused in the same words.
    const tells = ['project-ambiguous', 'project-not-found'] as const;
    if (access.projects !== null && tells.some((code) => isThroughlineError(error, code))) return undefined;
    throw error;
  });
  if (project && reachesProject(access, project)) return project;
  throw refused('project-not-found', `No project "${reference}".`, { project: reference });
}

/** The project of a new session: one that the token reaches. With a single one it need not be named. */
export function projectFor({ projects }: Access, asked: string | undefined): string | undefined {
  if (projects === null) return asked;
  const wanted = asked ?? (projects.length === 1 ? projects[0] : undefined);
  if (wanted !== undefined && projects.includes(wanted)) return wanted;
  throw refused(
    'access-denied',
    `Your token reaches the projects ${projects.join(', ')}: name one of them.`,
    asked === undefined ? {} : { project: asked },
  );
}
