import { homedir } from 'node:os';
import path from 'node:path';
import { PLACES, type SessionInfo, type StoredPlace } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { realFolder } from './find-root.ts';
import { createOwners, type Owners } from './owner-of.ts';
import { isSameProject, type Project, readProject } from './project.ts';
import { unknownLabel } from './unknown-project.ts';

/** Every project that something was written down about, the one written to last first. */
export async function listProjects(store: Store): Promise<Project[]> {
  const projects: Project[] = [];
  for await (const info of listPlace(store, 'memory')) {
    const project = readProject(info);
    if (project) projects.push(project);
  }
  return projects;
}

export async function readOwners(store: Store, projects?: readonly Project[]): Promise<Owners> {
  return createOwners(projects ?? (await listProjects(store)), { home: storeHome(store) });
}

/** The project that a session belongs to; `undefined` if it names none. Of one that is not written down yet, `known` is false. */
export async function projectOfSession(store: Store, session: SessionInfo): Promise<Project | undefined> {
  const label = session.state.settings.project;
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

/** The folder whose own store this is: what is said in it without naming a project is about that folder. */
export function storeHome({ facts }: Store): string | undefined {
  if (facts.backend !== 'sqlite') return undefined;
  const folder = path.dirname(facts.location);
  if (path.basename(folder) !== '.throughline') return undefined;
  const owner = realFolder(path.dirname(folder));
  return owner === realFolder(process.env.HOME || homedir()) ? undefined : owner;
}
