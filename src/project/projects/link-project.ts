import { type NewEntry, settingEntry } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { isFolder } from './find-root.ts';
import { listProjects } from './list-projects.ts';
import { firstCommit, openProject } from './open-project.ts';
import { FOLDER, LABEL, type Project, readProject } from './project.ts';

/**
 * Says that a project is in this folder. Folders it was linked to that are gone count as left from now on; the ones that are
 * still there stay linked, for a project that is worked on in several places. Facts stay with the project, also with one that
 * this folder was linked to before.
 */
export async function linkFolder(
  store: Store,
  project: Project,
  folder: string,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Project> {
  const opened = await openProject(store, project, { now });
  const at = now();
  const by = { by: 'user', at } as const;
  const gone = opened.folders.filter(
    ({ path, leftAt }) => leftAt === undefined && path !== folder && !isFolder(path),
  );
  const commit = opened.firstCommit === undefined ? await firstCommit(folder) : undefined;
  const before = (await listProjects(store)).filter(
    ({ id, folders }) =>
      id !== opened.id && folders.some(({ path, leftAt }) => path === folder && leftAt === undefined),
  );
  const linked = await write(store, opened, [
    ...gone.map(({ path, linkedAt }) => settingEntry(`${FOLDER}${path}`, { linkedAt, leftAt: at }, by)),
    settingEntry(`${FOLDER}${folder}`, { linkedAt: at }, by),
    ...(commit === undefined ? [] : [settingEntry('firstCommit', commit, by)]),
  ]);
  for (const { id, folders } of before) {
    const { linkedAt } = folders.find(({ path }) => path === folder)!;
    await store.append(id, [settingEntry(`${FOLDER}${folder}`, { linkedAt, leftAt: at }, by)]);
  }
  return linked;
}

/** Says that sessions which call their project so belong to this one. */
export async function linkLabel(
  store: Store,
  project: Project,
  label: string,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Project> {
  const opened = await openProject(store, project, { now });
  return write(store, opened, [settingEntry(`${LABEL}${label}`, true, { by: 'user', at: now() })]);
}

/** How many tokens the project's facts may take in a context; `undefined` for the default. */
export async function setBudget(
  store: Store,
  project: Project,
  tokens: number | undefined,
  { now = Date.now }: { now?: () => number } = {},
): Promise<Project> {
  const opened = await openProject(store, project, { now });
  return write(store, opened, [settingEntry('budget', tokens ?? null, { by: 'user', at: now() })]);
}

async function write(store: Store, { id }: Project, entries: readonly NewEntry[]): Promise<Project> {
  await store.append(id, entries);
  const info = await store.session(id);
  const project = info && readProject(info);
  if (!project) throw new Error(`bug: project "${id}" was written to and is not there`);
  return project;
}
