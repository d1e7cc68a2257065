import { z } from 'zod';
import type { Project } from '../../memory/index.ts';

// Fields are added to records, never changed: clients rely on them.

export const ProjectRecord = z.strictObject({
  id: z.string().nullable().describe('`null` as long as nothing is written down about it.'),
  name: z.string(),
  folder: z.string().nullable().describe('Where it is, or was last.'),
  folders: z
    .array(z.strictObject({ path: z.string(), linkedAt: z.number(), leftAt: z.number().exactOptional() }))
    .readonly()
    .describe('Where it is and where it was, the newest link first.'),
  labels: z.array(z.string()).readonly().describe('Other names that sessions call it by.'),
  firstCommit: z.string().nullable().describe('Of its repository.'),
  budget: z.int().nullable().describe('Tokens that its facts may take in a context, if that was set.'),
  createdAt: z.number().nullable(),
});
export type ProjectRecord = z.infer<typeof ProjectRecord>;

export function toProject(project: Project): ProjectRecord {
  const { id, name, known, folders, labels, budget, firstCommit, createdAt } = project;
  const folder = (folders.find(({ leftAt }) => leftAt === undefined) ?? folders[0])?.path ?? null;
  return {
    id: known ? id : null,
    name,
    folder,
    folders,
    labels,
    firstCommit: firstCommit ?? null,
    budget: budget ?? null,
    createdAt: known ? createdAt : null,
  };
}
