import { userInfo } from 'node:os';
import { type App, createApp, OWNER } from '../../operations/index.ts';
import { note } from '../terminal/print.ts';
import { type ProjectOptions, withProject } from '../with-project.ts';

/** The options that every command about work has. */
export interface WorkCommandOptions extends ProjectOptions {
  readonly budget?: number;
  readonly model?: string;
}

export interface WorkPlace {
  /** With the board of the command, for the person at the machine. */
  readonly app: App;
  readonly operations: typeof import('../../operations/work/index.ts');
  /** The project, as operations take it. */
  readonly project: string;
  /** Where the files of the project are. */
  readonly folder: string | undefined;
}

/** Opens the board of the project a command is about, and closes it again. */
export async function withWork<T>(
  options: WorkCommandOptions,
  { write }: { write: boolean },
  action: (place: WorkPlace) => Promise<T>,
): Promise<T> {
  return withProject(options, { write }, async ({ store, project, top }) => {
    const { openWork } = await import('../../work/index.ts');
    const summariser = options.model === undefined ? undefined : await summariserOf(options.model);
    await using work = await openWork(store, {
      // One that is named need not have a folder; without a name it is that of the work tree one stands in.
      ...(options.project === undefined && top !== undefined ? { folder: top } : { project }),
      ...(options.budget !== undefined && { budget: options.budget }),
      ...(summariser && { summariser }),
      onEvent(event) {
        if (event.type === 'source-broken' || event.type === 'compaction-stop')
          note(`Warning: ${event.reason}`);
      },
    });
    await using app = createApp(store, {
      access: { ...OWNER, user: userName() },
      // Every session is worked on from the board of the command, with its budget and its model.
      desks: { of: async () => work, with: async () => work, close: async () => {} },
    });
    const reference = project.known ? project.id : (options.project ?? top ?? project.id);
    const operations = await import('../../operations/work/index.ts');
    return await action({ app, operations, project: reference, folder: work.place.folder });
  });
}

function userName(): string {
  try {
    return userInfo().username || 'somebody';
  } catch {
    return 'somebody';
  }
}

async function summariserOf(model: string) {
  const { createModelSummariser } = await import('../../compaction/index.ts');
  const { openModel } = await import('../../models/index.ts');
  return createModelSummariser(await openModel(model));
}

/** Orchestrators give these commands the ids that they were given, so nothing is looked up. */
export const WORK_SESSION_ARGUMENT = 'the whole id of a session, as "throughline work sessions" shows it';
export const FEATURE_ARGUMENT = 'the id of a feature';
export const TASK_ARGUMENT = 'the id of a task';
