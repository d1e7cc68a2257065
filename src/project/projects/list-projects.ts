import { homedir } from 'node:os';
import path from 'node:path';
import { PLACES, type SessionInfo, type StoredPlace } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { findRoot, realFolder } from './find-root.ts';
import {
  isSameProject,
  type Project,
  type ProjectFolder,
  readProject,
  unknownLabel,
  unknownProject,
} from './project.ts';

/** Every project that something was written down about, the one written to last first. */
export async function listProjects(store: Store): Promise<Project[]> {
  const projects: Project[] = [];
  for await (const info of listPlace(store, 'memory')) {
    const project = readProject(info);
    if (project) projects.push(project);
  }
  return projects;
}

/** The project as it is written down, also if that happened since it was looked up; `undefined` if it never was. */
export async function knownProject(store: Store, project: Project): Promise<Project | undefined> {
  if (project.known) return project;
  const projects = await listProjects(store);
  return projects.find((other) => isSameProject(other, project));
}

interface FolderPlace {
  readonly project: Project;
  /** The top of the files here, where instruction files stand. */
  readonly top: string;
}

/** The project that a folder belongs to. Writes nothing: of a folder that is new, `known` is false. */
export async function placeFolder(store: Store, folder: string): Promise<FolderPlace> {
  const projects = await listProjects(store);
  const { ofFolder } = await readOwners(store, projects);
  const isLinked = (here: string) => {
    const owner = ofFolder(here);
    return (
      owner?.folders.some(({ path: linked, leftAt }) => linked === here && leftAt === undefined) === true
    );
  };
  const { root, top } = findRoot(folder, isLinked);
  const project = isLinked(root) ? ofFolder(root)! : unknownProject(root);
  return { project, top };
}

export async function readOwners(store: Store, projects?: readonly Project[]): Promise<Owners> {
  return createOwners(projects ?? (await listProjects(store)), { home: storeHome(store) });
}

/** The project that a session belongs to; `undefined` if it names none. Of one that is not written down yet, `known` is false. */
export async function projectOfSession(store: Store, session: SessionInfo): Promise<Project | undefined> {
  const label = session.state.settings.project;
  if (label === undefined && storeHome(store) === undefined) return undefined;
  const owner = (await readOwners(store)).ofSession(session);
  return owner ?? (label === undefined ? undefined : unknownLabel(label));
}

/** The sessions of a project, newest first, wherever they are kept but in the trash. */
export async function sessionsOf(store: Store, given: Project): Promise<SessionInfo[]> {
  const projects = await listProjects(store);
  const project = given.known ? given : (projects.find((other) => isSameProject(other, given)) ?? given);
  const others = projects.filter(({ id }) => id !== project.id);
  const owners = await readOwners(store, [...others, project]);
  const found: SessionInfo[] = [];
  for await (const info of listSessions(store)) {
    if (info.state.trashedAt === undefined && owners.ofSession(info)?.id === project.id) found.push(info);
  }
  return found.sort((a, b) => b.updatedAt - a.updatedAt);
}

/** Every conversation, wherever it is kept. */
export async function* listSessions(store: Store): AsyncGenerator<SessionInfo> {
  for (const place of PLACES) yield* listPlace(store, place);
}

const PAGE = 500;

async function* listPlace(store: Store, place: StoredPlace): AsyncGenerator<SessionInfo> {
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ place, limit: PAGE, ...(cursor && { cursor }) });
    yield* page.sessions;
    cursor = page.cursor;
    if (!cursor) return;
  }
}

/** The folder whose own store this is: its sessions without a project are about that folder. */
export function storeHome({ facts }: Store): string | undefined {
  if (facts.backend !== 'sqlite') return undefined;
  const folder = path.dirname(facts.location);
  if (path.basename(folder) !== '.throughline') return undefined;
  const owner = realFolder(path.dirname(folder));
  return owner === realFolder(process.env.HOME || homedir()) ? undefined : owner;
}

/** Tells which project a folder or a session belongs to. Made for one list of projects; answers are remembered. */
interface Owners {
  /** The project linked to this very folder; if none is any more, the last one that was. */
  readonly ofFolder: (folder: string) => Project | undefined;
  /** A session names its project by id, by a label, or by a folder in it, and one without a name is its store's. */
  readonly ofSession: (session: Pick<SessionInfo, 'state'>) => Project | undefined;
}

/** `home` is the folder whose own store this is, if it is one. */
function createOwners(projects: readonly Project[], { home }: { home?: string | undefined } = {}): Owners {
  const byName = new Map<string, Project>();
  for (const project of projects) for (const label of project.labels) byName.set(label, project);
  for (const project of projects) byName.set(project.id, project);
  const byFolder = new Map<string, Project>();
  for (const { path: folder, project } of linksOf(projects)) byFolder.set(folder, project);

  const known = new Map<string, Project | undefined>();
  function ofLabel(label: string): Project | undefined {
    if (known.has(label)) return known.get(label);
    const named = byName.get(label) ?? byFolder.get(label);
    const found = named ?? (path.isAbsolute(label) ? byFolder.get(rootOf(label, byFolder)) : undefined);
    known.set(label, found);
    return found;
  }

  return {
    ofFolder: (folder) => byFolder.get(folder),
    ofSession({ state }) {
      const label = state.settings.project;
      if (label !== undefined) return ofLabel(label);
      return home === undefined ? undefined : byFolder.get(home);
    },
  };
}

/** Former folders come before linked ones, and older links before newer ones: the last one counts. */
function linksOf(projects: readonly Project[]): (ProjectFolder & { project: Project })[] {
  const rank = ({ leftAt, linkedAt }: ProjectFolder) =>
    [leftAt === undefined ? 1 : 0, leftAt ?? linkedAt] as const;
  return projects
    .flatMap((project) => project.folders.map((folder) => ({ ...folder, project })))
    .sort((a, b) => {
      const [one, two] = [rank(a), rank(b)];
      return one[0] - two[0] || one[1] - two[1] || (a.project.id < b.project.id ? -1 : 1);
    });
}

/** A label is the folder of the work, which may be below the folder that is linked, and need not exist any more. */
function rootOf(label: string, folders: ReadonlyMap<string, Project>): string {
  return findRoot(label, (folder) => folders.has(folder)).root;
}
