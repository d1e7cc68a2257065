import { z } from 'zod';
import { FolderField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ProjectRecord, toProject } from './project-record.ts';

export const addProject = operation({
  name: 'project/add',
  summary: 'Make a folder a project of its own, also if it looks like one that was moved.',
  writes: true,
  params: z.strictObject({
    folder: FolderField,
  }),
  result: z.strictObject({ project: ProjectRecord }),
  faces: { cli: { 'projects add': { schema: ProjectRecord, of: ({ project }) => project } } },
  async run({ folder }, { store }) {
    const { openProject, placeFolder } = await import('../../memory/index.ts');
    const { project } = await placeFolder(store, folder);
    return { project: toProject(await openProject(store, project)) };
  },
});
