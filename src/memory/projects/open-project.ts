import { type SessionInfo, settingEntry } from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
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
  const by = { by: 'user', at } as const;
  const entries = [
    settingEntry('reserved', 'memory', by),
    settingEntry('name', project.name, by),
    ...project.folders.map(({ path }) => settingEntry(`${FOLDER}${path}`, { linkedAt: at }, by)),
    ...project.labels.map((label) => settingEntry(`${LABEL}${label}`, true, by)),
    ...(commit === undefined ? [] : [settingEntry('firstCommit', commit, by)]),
  ];
  const bear = () => ({ createdAt: at, entries });
  const belongs = (info: SessionInfo) => {
    const other = readProject(info);
    return other !== undefined && isSameProject(other, project);
  };
  // A project whose log was purged starts anew, under another id.
  for await (const { info } of sessionsNamed(store, projectId(origin, project.name), { belongs, bear })) {
    const same = info && readProject(info);
    if (same) return same;
  }
  throw new Error('bug: the ids to try for a project have come to an end');
}
