import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type SessionId, type SessionInfo, settingEntry } from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
import { askGit } from '../ask-git.ts';
import { FOLDER, folderOf, isSameProject, LABEL, type Project, readProject } from './project.ts';

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

/**
 * `shop-3f9a2c1b`: a name to read and a hash of where the project was first seen. Two processes that meet a folder at
 * the same time make the same id, so there is one project; later moves do not change it.
 */
function projectId(origin: string, name: string): SessionId {
  const hash = createHash('sha256')
    .update(JSON.stringify([origin, 1]))
    .digest('hex');
  return `${slug(name) || 'project'}-${hash.slice(0, 8)}`;
}

function slug(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
}

/**
 * The oldest commit that a repository's history starts with: what stays the same when it is moved, renamed or cloned.
 * `undefined` outside a repository, without commits, or in a shallow clone whose history does not reach back.
 */
export async function firstCommit(folder: string): Promise<string | undefined> {
  if (!existsSync(path.join(folder, '.git')) && !existsSync(path.join(folder, 'HEAD'))) return undefined;
  if ((await askGit(folder, 'rev-parse', '--is-shallow-repository'))?.trim() !== 'false') return undefined;
  const roots = (await askGit(folder, 'rev-list', '--max-parents=0', 'HEAD'))?.trim().split('\n');
  const oldest = roots?.at(-1);
  return oldest && /^[0-9a-f]{40,64}$/.test(oldest) ? oldest : undefined;
}
