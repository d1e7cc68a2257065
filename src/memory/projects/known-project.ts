import type { Store } from '../../store/index.ts';
import { listProjects } from './list-projects.ts';
import { isSameProject, type Project } from './project.ts';

/** The project as it is written down, also if that happened after somebody looked; `undefined` if it never was. */
export async function knownProject(store: Store, project: Project): Promise<Project | undefined> {
  if (project.known) return project;
  const projects = await listProjects(store);
  return projects.find((other) => isSameProject(other, project));
}
