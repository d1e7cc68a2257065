import { folderOf, type Project, projectOfSession } from '../../project/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { openWork, type Work, type WorkOptions } from '../../work/index.ts';
import { refused } from '../refused.ts';

/** One for each project: what it has read of a session it need not read again. */
export interface WorkDesks {
  of(project: Project): Promise<Work>;
  /** The work that a session belongs to. A session of no feature is refused. */
  with(session: SessionInfo): Promise<Work>;
  /** Writes what the disk refused before; what it refuses now is lost, as with any other session of the server. */
  close(): Promise<void>;
}

/** The choices of the process for every board: those that its turns have too. */
interface DeskChoices extends Omit<WorkOptions, 'project' | 'folder'> {
  /** The work of one project that is open already, and stays open. */
  readonly here?: Work;
}

export function createWorkDesks(
  store: Store,
  { recall = true, here, ...given }: DeskChoices = {},
): WorkDesks {
  const choices = { recall, ...given };
  const desks = new Map<string, Promise<Work>>();

  async function of(project: Project): Promise<Work> {
    if (here?.place.project.id === project.id) return here;
    // A project that nothing is written down about yet has an id that only stands for it.
    if (!project.known) return openWork(store, { ...choices, project });
    // The folder is part of the key: a project that is linked to another folder has its files there from then on.
    const key = JSON.stringify([project.id, folderOf(project)]);
    const desk = desks.get(key) ?? openWork(store, { ...choices, project });
    desks.set(key, desk);
    return desk;
  }

  return {
    of,
    async with(session) {
      const project = await projectOfSession(store, session);
      if (project && session.state.settings.work !== undefined) return of(project);
      throw refused('usage', `Session "${session.id}" belongs to no feature.`, { session: session.id });
    },
    async close() {
      await Promise.allSettled([...desks.values()].map(async (desk) => (await desk)[Symbol.asyncDispose]()));
    },
  };
}
