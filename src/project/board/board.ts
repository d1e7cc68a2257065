import {
  type EntryId,
  type Seq,
  type SessionId,
  type SessionInfo,
  settingEntry,
} from '../../record/index.ts';
import { type Store, sessionsNamed } from '../../store/index.ts';
import { placeFolder } from '../projects/list-projects.ts';
import { openProject } from '../projects/open-project.ts';
import { folderOf, type Project } from '../projects/project.ts';

/** Everything that is planned and done for a project, as its log adds up to. */
export interface Board {
  /** Oldest first; removed ones are not among them. */
  readonly features: ReadonlyMap<string, Feature>;
  /** The entry up to which the log was read. */
  readonly head: Seq;
}

export interface Feature {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly spec?: string;
  /** Relative to `folder`, or to the project's own folder. */
  readonly specFile?: string;
  /** Where its files are: a separate work tree. */
  readonly folder?: string;
  readonly branch?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly tasks: ReadonlyMap<string, Task>;
  /** Of the feature itself, oldest first. */
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

export interface Task {
  readonly id: string;
  readonly feature: string;
  readonly title: string;
  readonly description: string;
  readonly state: string;
  /** Tasks of the same feature that have to be done first. */
  readonly dependsOn: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** In all its states, oldest first. */
  readonly sessions: readonly SessionLink[];
  readonly moves: readonly Move[];
}

export interface SessionLink {
  readonly session: SessionId;
  readonly type: string;
  readonly agent: string;
  /** The state of the task that it is for. */
  readonly state?: string;
  readonly at: number;
  /** It was ended; a new one is made when one is asked for. */
  readonly ended: boolean;
}

/** From one state to another. */
export interface Move {
  readonly entry: EntryId;
  readonly from: string;
  readonly to: string;
  readonly at: number;
  readonly by?: string;
  readonly reason?: string;
}

export const EMPTY_BOARD: Board = { features: new Map(), head: 0 };

/** The folder whose files are shown to sessions of a feature: that of the feature comes before that of the project. */
export function folderFor(
  { features }: Board,
  feature: string,
  project: string | undefined,
): string | undefined {
  return features.get(feature)?.folder ?? project;
}

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
