import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ImportRecord } from '../transcript/import-transcripts.ts';
import { plain, workOfOperation } from './find-work.ts';

export const exportLayoutOperation = operation({
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
    return plain(await (await workOfOperation(app, project)).exportLayout(folder));
  },
});

export const importLayoutOperation = operation({
  name: 'work/layout/import',
  summary:
    'Reads features, tasks and sessions from .dagent-worktrees, the older chat.json included. Changes nothing there.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    folder: z.string().optional().describe("The folder that holds it; the project's own unless given."),
  }),
  result: z.strictObject({
    features: z.array(z.string()),
    tasks: z.array(z.strictObject({ feature: z.string(), task: z.string() })),
    sessions: z.array(ImportRecord),
    damaged: z
      .array(
        z.strictObject({
          file: z.string(),
          what: z.string(),
          checkpoint: z.string().optional().describe('The checkpoint beside a chat, which can be read.'),
        }),
      )
      .describe('Files that could not be read, or not wholly. They are as they were.'),
  }),
  faces: {
    help: {
      'work import':
        'Read features, tasks and sessions from .dagent-worktrees, the older chat.json included.',
    },
    cli: { 'work import': 'result' },
  },
  async run({ project, folder }, app) {
    return plain(await (await workOfOperation(app, project)).importLayout(folder));
  },
});
