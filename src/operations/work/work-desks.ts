import { folderOf, type Project } from '../../memory/index.ts';
import type { Store } from '../../store/index.ts';
import { openWork, type Work } from '../../work/index.ts';

/** One for each project: what it has read of a session it need not read again. */
export interface WorkDesks {
  of(project: Project): Promise<Work>;
  /** Writes what the disk refused before; what it refuses now is lost, as with any other session of the server. */
  close(): Promise<void>;
}

export function createWorkDesks(store: Store): WorkDesks {
  const desks = new Map<string, Promise<Work>>();
  return {
    of(project) {
      // A project that nothing is written down about yet has an id that only stands for it.
      if (!project.known) return openWork(store, { project });
      // One that was linked to another folder meanwhile has its files there.
      const key = JSON.stringify([project.id, folderOf(project)]);
      const desk = desks.get(key) ?? openWork(store, { project });
      desks.set(key, desk);
      return desk;
    },
    async close() {
      await Promise.allSettled([...desks.values()].map(async (desk) => (await desk)[Symbol.asyncDispose]()));
    },
  };
}
