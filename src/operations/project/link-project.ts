import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import type { Project } from '../../memory/index.ts';
import type { Store } from '../../store/index.ts';
import { findReachable } from '../access.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import { ProjectRecord, toProject } from './project-record.ts';

export const linkProject = operation({
  name: 'project/link',
  summary:
    'Say where a project is now. It keeps its sessions and what is known about it; a folder that is gone counts as left.',
  writes: true,
  fails: ['project-not-found', 'project-ambiguous'],
  params: z.strictObject({
    project: ProjectField,
    to: z
      .string()
      .max(10_000)
      .optional()
      .describe(
        'A folder that exists, or a name that sessions call the project by; this folder unless given.',
      ),
  }),
  result: z.strictObject({
    project: ProjectRecord,
    was: z
      .string()
      .nullable()
      .describe('The project that the folder belonged to before. It keeps its facts.'),
  }),
  faces: { cli: { 'projects link': { schema: ProjectRecord, of: ({ project }) => project } } },
  async run({ project: reference, to }, { store, access }) {
    const { folderOf, folderToLink, linkFolder, placeFolder } = await import('../../memory/index.ts');
    const project = await findReachable(store, access, reference);
    const folder = folderToLink(to);
    if (folder === undefined) return { project: await linkName(store, project, to!), was: null };
    const { project: before } = await placeFolder(store, folder);
    const isTaken = before.known && before.id !== project.id && folderOf(before) === folder;
    return {
      project: toProject(await linkFolder(store, project, folder)),
      was: isTaken ? before.id : null,
    };
  },
});

/** A text that is no folder has to be a name that sessions call their project by. */
async function linkName(store: Store, project: Project, name: string): Promise<ProjectRecord> {
  const { findProject, linkLabel } = await import('../../memory/index.ts');
  const named = await findProject(store, name).catch((error: unknown) => {
    if (!isThroughlineError(error, 'project-not-found')) throw error;
    throw refused('usage', `"${name}" is no folder, and no session calls its project so.`);
  });
  if (!named.known) return toProject(await linkLabel(store, project, name));
  throw refused(
    'usage',
    `"${name}" is project ${named.id}, with a memory of its own. Two projects cannot be made one.`,
  );
}
