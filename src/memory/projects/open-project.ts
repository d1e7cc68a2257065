import { isThroughlineError } from '../../errors.ts';
import type { Json, NewEntry } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { firstCommit } from './first-commit.ts';
import { FOLDER, folderOf, isSameProject, LABEL, type Project, readProject } from './project.ts';
import { projectId } from './project-id.ts';

/** The project with a log to write to: made now if there is none. Two processes that do so at once get the same one. */
export async function openProject(
  store: Store,
  project: Project,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Project> {
  if (project.known) return project;
  const folder = folderOf(project);
  const commit = folder === undefined ? undefined : await firstCommit(folder);
  const origin = folder ?? `label:${project.labels[0]}`;
  const at = now();
  const entries = [
    setting('reserved', 'memory', at),
    setting('name', project.name, at),
    ...project.folders.map(({ path }) => setting(FOLDER + path, { linkedAt: at }, at)),
    ...project.labels.map((label) => setting(LABEL + label, true, at)),
    ...(commit === undefined ? [] : [setting('firstCommit', commit, at)]),
  ];
  for (let attempt = 1; ; attempt++) {
    const id = projectId(origin, { name: project.name, attempt });
    try {
      return readProject(await store.create({ id, createdAt: at }, entries))!;
    } catch (error) {
      // A project whose log was purged starts anew, under another id.
      if (isThroughlineError(error, 'session-gone')) continue;
      if (!isThroughlineError(error, 'session-exists')) throw error;
    }
    const taken = await store.session(id);
    const same = taken && readProject(taken);
    if (same && isSameProject(same, project)) return same;
  }
}

export function setting(name: string, value: Json, at: number): NewEntry {
  return { at, body: { kind: 'setting', name, value, by: 'user' } };
}
