import { z } from 'zod';
import { listProposals, readMemory } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { named, ProjectName, projectOf } from './fact-record.ts';
import { ProposalRecord } from './proposal-record.ts';

export const listProjectProposals = operation({
  name: 'memory/proposals',
  summary: 'Facts that could be written down: proposed by agents, or found in summaries. Newest first.',
  params: z.strictObject({
    project: ProjectField,
    limit: z.int().min(1).default(100),
    declined: z.boolean().default(false).describe('The declined ones in place of the open ones.'),
  }),
  result: z.strictObject({
    project: ProjectName,
    proposals: z.array(ProposalRecord),
    total: z.int().describe('How many there are beyond the limit, too.'),
    sessions: z.int().describe('Sessions of the project that have a summary.'),
    read: z.int().describe('The newest of those, which were looked at.'),
  }),
  faces: {
    help: {
      'memory proposals':
        'List what could be written down: facts and decisions from summaries, and what agents proposed.',
    },
    rpc: true,
    cli: { 'memory proposals': 'result' },
  },
  async run({ project: name, limit, declined }, app) {
    const project = await projectOf(app, name);
    const found = await listProposals(app.store, project, await readMemory(app.store, project));
    const asked = found.proposals.filter((proposal) => proposal.declined === declined);
    return {
      project: named(project),
      proposals: asked.slice(0, limit).map((proposal) => ({
        ...proposal,
        sources: proposal.sources.map((source) => ({ ...source })),
      })),
      total: asked.length,
      sessions: found.sessions,
      read: found.read,
    };
  },
});
