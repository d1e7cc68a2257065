import { z } from 'zod';
import { reachesProject } from '../access.ts';
import { operation } from '../operation.ts';
import { ProjectRecord, toProject } from './project-record.ts';

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

export const listProjects = operation({
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
    const { surveyProjects } = await import('../../memory/index.ts');
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
