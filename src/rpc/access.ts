import { isThroughlineError } from '../errors.ts';
import { findProject, type Project, projectOfSession } from '../memory/index.ts';
import { type SessionInfo, storedPlaceOf } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { refused } from './error-codes.ts';

/** Who asks, and how far that reaches. */
export interface Access {
  /** A name, for people and for the sources of facts. */
  readonly user: string;
  readonly mayWrite: boolean;
  /** Projects by id, name, label or folder; `null` for everything. */
  readonly projects: readonly string[] | null;
}

/** Whoever started the server. */
export const OWNER: Access = { user: 'owner', mayWrite: true, projects: null };

/** Whether a session is within reach. What is not is told to nobody: it does not exist for them. */
export async function reachesSession(
  store: Store,
  { projects }: Access,
  info: SessionInfo,
): Promise<boolean> {
  if (projects === null) return true;
  const { project: label } = info.state.settings;
  if (label !== undefined && projects.includes(label)) return true;
  const project = await projectOfSession(store, info);
  return project !== undefined && reachesProject({ projects }, project);
}

/** Whether a session is a conversation within reach. The log of a project's memory has methods of its own. */
export async function isShown(store: Store, access: Access, info: SessionInfo): Promise<boolean> {
  return storedPlaceOf(info.state) !== 'memory' && (await reachesSession(store, access, info));
}

export function reachesProject(
  { projects }: Pick<Access, 'projects'>,
  { id, name, labels, folders, known }: Project,
): boolean {
  if (projects === null) return true;
  // Any folder can be named, and one that nobody wrote down is called after its last part: that opens nothing.
  const called = known || folders.length === 0 ? [name] : [];
  const names = [id, ...called, ...labels, ...folders.map(({ path }) => path)];
  return names.some((each) => projects.includes(each));
}

/** The project that is meant, if it is within reach. One that is not is answered as one that does not exist. */
export async function findReachable(store: Store, access: Access, reference: string): Promise<Project> {
  const project = await findProject(store, reference).catch((error: unknown) => {
    // The candidates are not for everybody, nor are other words for what does not exist.
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
