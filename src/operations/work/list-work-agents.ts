import { z } from 'zod';
import { AGENT_TYPES, AgentFile, type Work, writeAgents } from '../../work/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { workOfOperation } from './find-work.ts';

const AgentRecord = AgentFile.extend({
  type: z.enum(AGENT_TYPES),
  file: z
    .string()
    .nullable()
    .describe('The file that describes it; `null` for the description that comes with the program.'),
});

const shared = {
  params: z.strictObject({ project: ProjectField }),
  result: z.strictObject({ agents: z.array(AgentRecord) }),
};

const printed = {
  schema: z.array(AgentRecord),
  of: ({ agents }: z.output<typeof shared.result>) => agents,
};

export const listWorkAgents = operation({
  name: 'work/agents/list',
  summary: 'The descriptions that agents are given.',
  fails: ['agent-broken'],
  ...shared,
  faces: {
    help: { 'work agents': 'Show the descriptions that agents are given.' },
    cli: { 'work agents': printed },
  },
  run: async ({ project }, app) => describeAgents(await workOfOperation(app, project)),
});

export const writeWorkAgents = operation({
  name: 'work/agents/write',
  summary: 'Writes the descriptions of agents as files to edit. Files that are there already are left alone.',
  writes: true,
  fails: ['agent-broken'],
  ...shared,
  faces: { cli: { 'work agents --write': printed } },
  async run({ project }, app) {
    const work = await workOfOperation(app, project);
    await writeAgents(work.agents);
    return describeAgents(work);
  },
});

async function describeAgents({ agents }: Work): Promise<z.output<typeof shared.result>> {
  return {
    agents: await Promise.all(
      AGENT_TYPES.map(async (type) => ({ type, file: null, ...(await agents.read(type)) })),
    ),
  };
}
