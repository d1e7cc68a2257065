import { isThroughlineError } from '../../errors.ts';
import { folderOf, openProject, type Project, placeFolder } from '../../memory/index.ts';
import type { NewEntry, SessionId } from '../../record/index.ts';
import { getSession } from '../../session/index.ts';
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
  return { project, folder: top, id: project.known ? await boardLog(store, project) : undefined };
}

/** The board with a log to write to: made now if there is none. Two processes that do so at once get the same one. */
export async function openBoard(
  store: Store,
  place: BoardPlace,
  { now }: { now: () => number },
): Promise<BoardPlace & { readonly id: SessionId }> {
  const project = await openProject(store, place.project, { now });
  const id = await boardLog(store, project);
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
export async function boardOf(store: Store, project: Project): Promise<BoardPlace> {
  const id = project.known ? await boardLog(store, project) : undefined;
  return { project, folder: folderOf(project), id };
}

/** Named after the project's id, which stays when the project is moved or renamed. A purged board is followed by a new one. */
async function boardLog(store: Store, { id: project }: Project): Promise<SessionId> {
  for (let attempt = 1; ; attempt++) {
    const id = attempt === 1 ? `${project}_work` : `${project}_work_${attempt}`;
    try {
      return (await getSession(store, id)).id;
    } catch (error) {
      if (isThroughlineError(error, 'session-not-found')) return id;
      if (!isThroughlineError(error, 'session-gone')) throw error;
    }
  }
}
