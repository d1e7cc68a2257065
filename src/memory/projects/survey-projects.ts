import type { Store } from '../../store/index.ts';
import { isFolder } from './find-root.ts';
import { listProjects, listSessions, readOwners } from './list-projects.ts';
import { folderOf, type Project } from './project.ts';
import { unknownLabel } from './unknown-project.ts';

/** A project as lists show it. */
export interface SurveyedProject {
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
