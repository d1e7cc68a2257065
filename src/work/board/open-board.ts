import { isThroughlineError } from '../../errors.ts';
import { folderOf, openProject, type Project, placeFolder } from '../../memory/index.ts';
import type { NewEntry, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** Where the work of a project is written down. */
export interface BoardPlace {
  readonly project: Project;
  /** The log; it need not be there yet. */
  readonly id: SessionId | undefined;
  /** The top of the project's files; absent for a project that is only known by a name. */
  readonly folder: string | undefined;
}

/** The board of the project that a folder belongs to. Writes nothing. */
export async function findBoard(store: Store, folder: string): Promise<BoardPlace> {
  const { project, top } = await placeFolder(store, folder);
  return { project, folder: top, id: project.known ? boardId(project) : undefined };
}

/** The board with a log to write to: made now if there is none. Two processes that do so at once get the same one. */
export async function openBoard(
  store: Store,
  place: BoardPlace,
  { now }: { now: () => number },
): Promise<BoardPlace & { readonly id: SessionId }> {
  const project = await openProject(store, place.project, { now });
  const id = boardId(project);
  const at = now();
  const entries: NewEntry[] = Object.entries({ reserved: 'work', project: project.id }).map(
    ([name, value]) => ({
      at,
      body: { kind: 'setting', name, value, by: 'host' },
    }),
  );
  try {
    await store.create({ id, createdAt: at }, entries);
  } catch (error) {
    if (!isThroughlineError(error, 'session-exists')) throw error;
  }
  return { ...place, project, id };
}

/** The board of a project that is known already. */
export function boardOf(project: Project): BoardPlace {
  return { project, folder: folderOf(project), id: project.known ? boardId(project) : undefined };
}

/** Of the project's id, which stays when the project is moved or renamed. */
function boardId({ id }: Project): SessionId {
  return `${id}_work`;
}
