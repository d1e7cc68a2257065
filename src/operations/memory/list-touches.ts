import { z } from 'zod';
import { fileHistory, type Recall } from '../../search/index.ts';
import type { App } from '../app.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { projectOf } from './fact-record.ts';

const Touch = z.strictObject({
  entry: z.string(),
  seq: z.int(),
  at: z.number(),
  path: z.string().describe('From the top of the project, or absolute if it lies outside.'),
  operation: z.string(),
  tool: z.string(),
  request: z
    .strictObject({ entry: z.string(), text: z.string() })
    .exactOptional()
    .describe('The words of the user that it was done for.'),
  session: z.string(),
  title: z.string(),
  agent: z.string().exactOptional(),
});

export const listTouches = operation({
  name: 'memory/files',
  summary:
    'Shows which sessions touched a file, or the files in a folder: when, how, and what was asked for.',
  params: z.strictObject({
    project: ProjectField,
    path: z.string().describe('A file or a folder of the project; the end of a path is enough.'),
    folder: z
      .string()
      .optional()
      .describe('The path is relative to this; to the top of the project unless given.'),
    limit: z.int().min(1).default(20),
  }),
  result: z.strictObject({
    path: z.string().describe('As the project knows it; empty for the project itself.'),
    matched: z.enum(['path', 'end']).describe('`end`: that very path is not known; the paths end like it.'),
    touches: z.array(Touch).readonly().describe('Newest first.'),
    more: z.boolean().describe('There are older ones.'),
    sessions: z.int().describe('Sessions of the project.'),
    read: z.int().describe('Sessions that were read from beginning to end.'),
    damaged: z.array(z.string()).readonly().describe('Sessions with an entry that cannot be read.'),
  }),
  faces: {
    help: {
      'memory files':
        'Show which sessions touched a file, or what is in a folder: when, how, and what was asked for.',
    },
    cli: { 'memory files': 'result' },
  },
  async run({ project: name, path, folder, limit }, app) {
    const project = await projectOf(app, name);
    const recall = await existingIndex(app);
    return fileHistory(app.store, project, path, {
      limit,
      recall,
      ...(folder !== undefined && { folder }),
    });
  },
});

/** The search index, if there is a file of it: making one for a single question takes longer than reading the logs. */
async function existingIndex(app: App): Promise<Recall | undefined> {
  const { hasIndexFile } = await import('../../search/index.ts');
  if (!hasIndexFile(app.store)) return undefined;
  try {
    const { recall, behind } = await (await app.index()).current();
    return behind === null ? recall : undefined;
  } catch {
    // Without an index the answer is the same, only slower.
    return undefined;
  }
}
