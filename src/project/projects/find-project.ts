import path from 'node:path';
import { ThroughlineError } from '../../errors.ts';
import { matchName, type Store } from '../../store/index.ts';
import { isFolder, realFolder } from './find-root.ts';
import { listProjects, listSessions, placeFolder, readOwners } from './list-projects.ts';
import { folderOf, type Project, unknownLabel } from './project.ts';

/**
 * The one project that `reference` names: its id or the start of it, its name, a folder of it, or what sessions call it.
 * If it fits more than one, the candidates are in the error.
 */
export async function findProject(store: Store, reference: string): Promise<Project> {
  const projects = await listProjects(store);
  const exact = projects.find(({ id }) => id === reference);
  const fitting = exact ? [exact] : nearest(projects.filter(fits(reference)), standsIn(reference));
  if (fitting.length === 1) return fitting[0]!;
  if (fitting.length > 1) throw ambiguous(reference, fitting);
  if (looksLikePath(reference) && isFolder(reference)) return (await placeFolder(store, reference)).project;
  // Those that only sessions name are not written down anywhere, so this looks at all of them.
  const surveyed = (await surveyProjects(store)).map(({ project }) => project);
  const unknown = surveyed.filter(({ known }) => !known).filter(fits(reference));
  // What sessions say letter for letter has no other name; a folder that ends so has.
  const named = nearest(unknown, ({ labels }) => labels.includes(reference));
  if (named.length === 1) return named[0]!;
  if (named.length > 1) throw ambiguous(reference, named);
  throw new ThroughlineError('project-not-found', `No project "${reference}".`, {
    details: { project: reference },
  });
}

function fits(reference: string): (project: Project) => boolean {
  const folder = realFolder(reference);
  return ({ id, name, known, labels, folders }) =>
    (known && reference !== '' && id.startsWith(reference)) ||
    matchName(name) === matchName(reference) ||
    labels.includes(reference) ||
    folders.some(({ path: linked }) => linked === reference || linked === folder);
}

/** Of several, the only one that is meant more than the others. */
function nearest(fitting: readonly Project[], isNearer: (project: Project) => boolean): readonly Project[] {
  const nearer = fitting.length > 1 ? fitting.filter(isNearer) : [];
  return nearer.length === 1 ? nearer : fitting;
}

/** A folder is of the project that is there now, before those that were. */
function standsIn(reference: string): (project: Project) => boolean {
  const folder = realFolder(reference);
  return ({ folders }) =>
    looksLikePath(reference) &&
    folders.some(({ path: linked, leftAt }) => linked === folder && leftAt === undefined);
}

function looksLikePath(reference: string): boolean {
  return path.isAbsolute(reference) || /^\.{1,2}(?:[/\\]|$)|[/\\]/.test(reference);
}

function ambiguous(reference: string, candidates: readonly Project[]): ThroughlineError {
  const lines = candidates.map(
    (project) => `\n  ${project.known ? project.id : '–'}  ${folderOf(project) ?? project.name}`,
  );
  return new ThroughlineError(
    'project-ambiguous',
    `"${reference}" fits more than one project; give the id or the folder:${lines.join('')}`,
    { details: { candidates: candidates.map(({ id, name }) => ({ id, name })) } },
  );
}

/** A project as lists show it. */
interface SurveyedProject {
  readonly project: Project;
  readonly folder: string | undefined;
  /** Whether that folder is still there. */
  readonly there: boolean;
  /** Sessions outside the trash, and when something was last said in one or written down. */
  readonly sessions: number;
  readonly updatedAt: number;
}

/** Every project there is, also those that only sessions name, the one used last first. Reads no log. */
export async function surveyProjects(store: Store): Promise<SurveyedProject[]> {
  const projects = await listProjects(store);
  const owners = await readOwners(store, projects);
  const found = new Map<string, { project: Project; sessions: number; updatedAt: number }>();
  for (const project of projects) {
    found.set(project.id, { project, sessions: 0, updatedAt: project.updatedAt });
  }
  for await (const info of listSessions(store)) {
    const label = info.state.settings.project;
    if (info.state.trashedAt !== undefined) continue;
    const owner = owners.ofSession(info) ?? (label === undefined ? undefined : unknownLabel(label));
    if (!owner) continue;
    const known = found.get(owner.id) ?? { project: owner, sessions: 0, updatedAt: 0 };
    known.sessions++;
    known.updatedAt = Math.max(known.updatedAt, info.updatedAt);
    found.set(owner.id, known);
  }
  return [...found.values()]
    .map(({ project, ...used }) => {
      const folder = folderOf(project) ?? project.folders[0]?.path;
      return { project, folder, there: folder !== undefined && isFolder(folder), ...used };
    })
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.project.id < b.project.id ? -1 : 1));
}
