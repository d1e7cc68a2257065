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

export const listProjects = operation({
  name: 'project/list',
  summary:
    'Every project, also those that only sessions name, the one used last first: where it is, and how many sessions it has.',
  params: z.strictObject({}),
  result: z.strictObject({ projects: z.array(SurveyedProject) }),
  faces: {
    cli: { projects: { schema: z.array(SurveyedProject), of: ({ projects }) => projects } },
  },
  async run(_, { store, access }) {
    const { surveyProjects } = await import('../../memory/index.ts');
    const surveyed = (await surveyProjects(store)).filter(({ project }) => reachesProject(access, project));
    return {
      projects: surveyed.map(({ project, there, sessions, updatedAt }) => ({
        ...toProject(project),
        there,
        sessions,
        updatedAt,
      })),
    };
  },
});
