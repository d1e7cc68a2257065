import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { dependentsOf, type Feature, folderFor, type Task } from '../../project/index.ts';
import type { Desk } from '../desk.ts';
import type { SessionPlace } from '../sessions/session-place.ts';
import type {
  FeatureContext,
  ProjectContext,
  TaskContext,
  TaskDependencyInfo,
  WorkSessionContext,
} from './session-context.ts';

const LARGEST_SPEC = 256 * 1024;
const NO_PROJECT: ProjectContext = { structure: { root: '', files: 0, folders: [] }, recentCommits: [] };

/** Everything that the context of a session is made from, and a hash of it. */
export interface Gathered {
  readonly sources: Pick<WorkSessionContext, 'project' | 'feature' | 'task'>;
  readonly hash: string;
}

export async function gatherContext(desk: Desk, place: SessionPlace): Promise<Gathered> {
  const board = await desk.board();
  const feature = board.features.get(place.feature);
  const folder = folderFor(board, place.feature, desk.place.folder);
  const task = place.task === undefined ? undefined : feature?.tasks.get(place.task);
  const sources = {
    project: folder === undefined ? NO_PROJECT : await desk.projects.read(folder),
    ...(feature && { feature: await featureContext(feature, folder) }),
    ...(feature && task && { task: taskContext(feature, task) }),
  };
  return { sources, hash: createHash('sha256').update(JSON.stringify(sources)).digest('hex') };
}

async function featureContext(feature: Feature, folder: string | undefined): Promise<FeatureContext> {
  const { specFile } = feature;
  const spec =
    specFile === undefined || folder === undefined ? feature.spec : await readSpec(folder, specFile);
  return {
    name: feature.name,
    ...(spec !== undefined && { spec }),
    tasks: [...feature.tasks.values()].map(({ id, title, state, dependsOn }) => ({
      id,
      title,
      state,
      dependsOn,
    })),
  };
}

/** A file that is not there, or leads out of the folder, is said to be missing instead of ending the work. */
async function readSpec(folder: string, name: string): Promise<string> {
  try {
    // A link may point at another file of the project; one that leads out of it would show whatever it points at.
    const file = await realpath(path.resolve(folder, name));
    const way = path.relative(await realpath(folder), file);
    if (way.startsWith('..') || path.isAbsolute(way))
      return `(${name} lies outside of ${path.basename(folder)}.)`;
    await using handle = await open(file);
    const buffer = Buffer.alloc(LARGEST_SPEC);
    const { bytesRead } = await handle.read(buffer, 0, LARGEST_SPEC, 0);
    const text = new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
    return bytesRead < LARGEST_SPEC ? text : `${text}\n(The rest of ${name} is not shown: it is too large.)`;
  } catch (error) {
    return `(${name} could not be read: ${(error as NodeJS.ErrnoException).code ?? 'error'}.)`;
  }
}

function taskContext(feature: Feature, task: Task): TaskContext {
  const info = ({ id, title, state }: Task): TaskDependencyInfo => ({ id, title, state });
  const needed = task.dependsOn.flatMap((id) => feature.tasks.get(id) ?? []);
  return {
    title: task.title,
    description: task.description,
    dependencies: needed.map(info),
    dependents: dependentsOf(feature, task.id).map(info),
  };
}
