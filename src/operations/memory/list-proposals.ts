import { z } from 'zod';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { named, ProjectName, projectOf } from './fact-record.ts';
import { openProposals, ProposalRecord } from './proposal-record.ts';

export const listOpenProposals = operation({
  name: 'memory/proposals',
  summary: 'What could be written down: proposed by agents, or found in summaries. Newest first.',
  params: z.strictObject({ project: ProjectField, limit: z.int().min(1).max(500).default(100) }),
  result: z.strictObject({ project: ProjectName, proposals: z.array(ProposalRecord) }),
  faces: { rpc: true },
  async run({ project: name, limit }, app) {
    const project = await projectOf(app, name);
    const open = (await openProposals(app, project)).slice(0, limit);
    return {
      project: named(project),
      proposals: open.map(({ id, text, list: kind, sources, at }) => ({
        id,
        text,
        list: kind,
        sources: sources.map((source) => ({ ...source })),
        at,
      })),
    };
  },
});
