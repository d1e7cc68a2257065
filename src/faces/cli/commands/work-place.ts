import { type App, createAppOperation, OWNER } from '../../../operations/index.ts';
import { sayCount } from '../../../text/index.ts';
import type { WorkEvent, WorkOptions } from '../../../work/index.ts';
import { note } from '../terminal/print.ts';
import { type ProjectOptions, userName, withProject } from '../with-project.ts';

/** The options that every command about work has. */
export interface WorkCommandOptions extends ProjectOptions {
  readonly budget?: number;
  readonly model?: string;
}

interface WorkPlace {
  /** With the board of the command, for the person at the machine. */
  readonly app: App;
  readonly operations: typeof import('../../../operations/work/index.ts');
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
  return withProject(options, { write }, async ({ store, place: { project, top } }) => {
    const { openWork } = await import('../../../work/index.ts');
    const operations = await import('../../../operations/work/index.ts');
    const summariser = options.model === undefined ? undefined : await summariserOf(options.model);
    const choices: WorkOptions = {
      recall: true,
      ...(options.budget !== undefined && { budget: options.budget }),
      ...(summariser && { summariser }),
      onEvent(event) {
        if (event.type === 'source-broken' || event.type === 'compaction-stop')
          note(`Warning: ${event.reason}`);
        if (event.type === 'draft-wait')
          note(`A draft summary waits: throughline compact ${event.session} --review`);
        if (event.type === 'lines-left-out') note(`Warning: ${sayLeftOut(event)}`);
      },
    };
    await using work = await openWork(store, { ...choices, project });
    const desks = operations.createWorkDesks(store, { ...choices, here: work });
    await using app = createAppOperation(store, {
      access: { ...OWNER, user: userName() },
      desks: { ...desks, of: async () => work },
    });
    const reference = project.known ? project.id : (options.project ?? top ?? project.id);
    try {
      return await action({ app, operations, project: reference, folder: top });
    } finally {
      await desks.close();
    }
  });
}

function sayLeftOut({ session, leftOut }: Extract<WorkEvent, { type: 'lines-left-out' }>): string {
  const lines = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  return `The request has no room for ${sayCount(lines, 'line')} of the checkpoint. "throughline work checkpoint ${session}" has every line.`;
}

async function summariserOf(model: string) {
  const { createModelSummariser } = await import('../../../compaction/index.ts');
  const { openModel } = await import('../../../models/index.ts');
  return createModelSummariser(await openModel(model));
}

/** Orchestrators give these commands the ids that they were given, so nothing is looked up. */
export const WORK_SESSION_ARGUMENT = 'the whole id of a session, as "throughline work sessions" shows it';
export const FEATURE_ARGUMENT = 'the id of a feature';
export const TASK_ARGUMENT = 'the id of a task';
