import { folderOf, openProject, type Project, placeFolder } from '../memory/index.ts';
import { type SessionId, type SessionInfo, settingEntry } from '../record/index.ts';
import { type Store, sessionsNamed } from '../store/index.ts';

/** Where the work of a project is written down. */
export interface BoardPlace {
  readonly project: Project;
  /** The log; absent until something is written. */
  readonly id: SessionId | undefined;
  /** Where the project's files are; absent for a project that is only known by a name. */
  readonly folder: string | undefined;
}

/** The board of the project that a folder belongs to, from whichever work tree. Writes nothing. */
export async function findBoard(store: Store, folder: string): Promise<BoardPlace> {
  return boardOf(store, (await placeFolder(store, folder)).project);
}

/** The board with a log to write to: made now if there is none. Two processes that do so at once get the same one. */
export async function openBoard(
  store: Store,
  place: BoardPlace,
  { now }: { now: () => number },
): Promise<BoardPlace & { readonly id: SessionId }> {
  const project = await openProject(store, place.project, { now });
  const found = await findLog(store, project);
  if (found !== undefined) return { ...place, project, id: found };
  const bear = () => {
    const at = now();
    const by = { by: 'host', at } as const;
    const entries = [settingEntry('reserved', 'work', by), settingEntry('project', project.id, by)];
    return { createdAt: at, entries };
  };
  const belongs = (info: SessionInfo) => isBoardOf(info, project);
  for await (const { id, info } of sessionsNamed(store, `work_${project.id}`, { belongs, bear }))
    if (info) return { ...place, project, id };
  throw new Error('bug: the ids to try for a board have come to an end');
}

/** The board of a project that is known already. */
export async function boardOf(store: Store, project: Project): Promise<BoardPlace> {
  const id = project.known ? await findLog(store, project) : undefined;
  return { project, folder: folderOf(project), id };
}

/** The log says whose board it is; its id has changed with the versions. A board in the trash is in no list of them. */
async function findLog(store: Store, project: Project): Promise<SessionId | undefined> {
  const { sessions } = await store.list({ place: 'memory', project: project.id, limit: 100 });
  const boards = sessions
    .filter((info) => isBoardOf(info, project))
    .sort((a, b) => a.createdAt - b.createdAt);
  if (boards[0]) return boards[0].id;
  for (const id of [`${project.id}_work`, `work_${project.id}`]) {
    const info = await store.session(id);
    if (info && isBoardOf(info, project)) return id;
  }
  return undefined;
}

function isBoardOf({ state: { settings } }: SessionInfo, { id }: Project): boolean {
  return settings.reserved === 'work' && settings.project === id;
}
