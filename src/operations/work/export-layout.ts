import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workOf } from './find-work.ts';

export const exportLayout = operation({
  name: 'work/layout/export',
  summary:
    'Writes features, tasks and sessions as .dagent-worktrees. What cannot be read there, or is known nowhere else, is kept aside.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    folder: z.string().optional().describe("The folder that is to hold it; the project's own unless given."),
  }),
  result: z.strictObject({
    files: z.array(z.string()),
    keptAside: z.array(z.strictObject({ file: z.string(), aside: z.string(), why: z.string() })),
  }),
  faces: {
    help: { 'work export': 'Write features, tasks and sessions as .dagent-worktrees.' },
    cli: { 'work export': 'result' },
  },
  async run({ project, folder }, app) {
    return plain(await (await workOf(app, project)).exportLayout(folder));
  },
});
