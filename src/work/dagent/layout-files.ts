import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

/** `.dagent-worktrees/<feature>/.dagent` below a project. */
export const WORKTREES = '.dagent-worktrees';
export const DAGENT = '.dagent';
export const NODES = 'nodes';

/** Only the watched files; every other field is kept. */
export const FeatureFile = z.looseObject({
  id: z.string().optional(),
  name: z.string().optional(),
  state: z.string().optional(),
  spec: z.string().optional(),
  sessionId: z.string().optional(),
});
export type FeatureFile = z.infer<typeof FeatureFile>;

export const TaskFile = z.looseObject({
  id: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  dependsOn: z.array(z.string()).optional(),
  currentState: z.string().optional(),
  states: z.record(z.string(), z.looseObject({ sessionIds: z.array(z.string()).optional() })).optional(),
});
export type TaskFile = z.infer<typeof TaskFile>;

/** A file that is there and cannot be used. */
export interface DamagedFile {
  readonly file: string;
  readonly what: string;
  /** Of a chat that nothing could be read of: the checkpoint beside it, which can be. It is left as it is too. */
  readonly checkpoint?: string;
}

/** The file's content; `undefined` if there is none. One that cannot be read is reported, and left as it is. */
export async function readJsonFile<T>(
  file: string,
  schema: z.ZodType<T>,
  damaged: DamagedFile[],
): Promise<T | undefined> {
  try {
    const result = schema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    if (result.success) return result.data;
    damaged.push({ file, what: z.prettifyError(result.error) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      damaged.push({ file, what: (error as Error).message });
  }
  return undefined;
}

export async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

export async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => path.join(folder, name))
    .sort();
}
