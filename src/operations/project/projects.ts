import { z } from 'zod';
import { isThroughlineError } from '../../errors.ts';
import type { Project } from '../../project/index.ts';
import type { Store } from '../../store/index.ts';
import { findReachable, reachesProject } from '../access.ts';
import { FolderField, ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';
import { refused } from '../refused.ts';

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
    const { openProject, placeFolder } = await import('../../project/index.ts');
    const { project } = await placeFolder(store, folder);
    return { project: toProject(await openProject(store, project)) };
  },
});

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
    const { folderOf, folderToLink, linkFolder, placeFolder } = await import('../../project/index.ts');
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
  const { findProject, linkLabel } = await import('../../project/index.ts');
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

const SurveyedProject = ProjectRecord.extend({
  there: z.boolean().describe('True if its folder still exists.'),
  sessions: z.int().describe('Sessions outside the trash.'),
  updatedAt: z.number().describe('When something was last said in one of them or written down.'),
});
export type SurveyedProject = z.infer<typeof SurveyedProject>;

const ListedProject = SurveyedProject.extend({
  id: z.string(),
  known: z.boolean().describe('Whether something was written down about it.'),
});

/** The form that the command line has promised: a project that only sessions name has no id. */
export function toSurveyed({ known, id, ...rest }: z.infer<typeof ListedProject>): SurveyedProject {
  return { id: known ? id : null, ...rest };
}

export const listProjectsOperation = operation({
  name: 'projects/list',
  summary:
    'Every project, also those that only sessions name, the one used last first: where it is, and how many sessions it has.',
  params: z.strictObject({}),
  result: z.strictObject({ projects: z.array(ListedProject) }),
  faces: {
    help: {
      projects:
        'List projects: where they are, how many sessions they have, and whether their folder is still there.',
    },
    rpc: true,
    cli: { projects: { schema: z.array(SurveyedProject), of: ({ projects }) => projects.map(toSurveyed) } },
  },
  async run(_, { store, access }) {
    const { surveyProjects } = await import('../../project/index.ts');
    const surveyed = (await surveyProjects(store)).filter(({ project }) => reachesProject(access, project));
    return {
      projects: surveyed.map(({ project, there, sessions, updatedAt }) => ({
        ...toProject(project),
        id: project.id,
        known: project.known,
        there,
        sessions,
        updatedAt,
      })),
    };
  },
});

export const showProject = operation({
  name: 'project/show',
  summary: 'A project: its folders, and its sessions.',
  fails: ['project-not-found', 'project-ambiguous'],
  params: z.strictObject({ project: ProjectField }),
  result: z.strictObject({ project: ProjectRecord, sessions: z.array(SessionRecord) }),
  faces: {
    help: {
      'projects show': 'Show a project: its folders, and its sessions, numbered for the next command.',
    },
    cli: {
      'projects show': {
        schema: ProjectRecord.extend({ sessions: z.array(SessionDescriptionRecord) }),
        of: ({ project, sessions }) => ({ ...project, sessions: sessions.map(describedSession) }),
      },
    },
  },
  async run({ project: reference }, app) {
    const { sessionsOf } = await import('../../project/index.ts');
    const project = await findReachable(app.store, app.access, reference);
    const sessions = await sessionsOf(app.store, project);
    return {
      project: toProject(project),
      sessions: await Promise.all(sessions.map((info) => showSession(app, info))),
    };
  },
});
