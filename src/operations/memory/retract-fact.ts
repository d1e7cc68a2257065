import { z } from 'zod';
import { lookUpFact, retractFact } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  Budget,
  budgetOf,
  FactIdField,
  FactRecord,
  named,
  ProjectName,
  projectOf,
  ReasonField,
  sourceOf,
  toFact,
} from './fact-record.ts';

export const retractProjectFact = operation({
  name: 'memory/retract',
  summary: 'Takes a fact back. It stays in the history, with the reason.',
  writes: true,
  fails: ['fact-not-found'],
  params: z.strictObject({ project: ProjectField, id: FactIdField, reason: ReasonField }),
  result: z.strictObject({
    project: ProjectName,
    retracted: z.array(z.string()),
    facts: z.array(FactRecord).describe('The same, as the project knows them now.'),
    budget: Budget,
  }),
  faces: {
    help: { 'memory retract': 'Take a fact back. It stays in the history, with your reason.' },
    rpc: true,
    cli: {
      'memory retract': {
        schema: z.strictObject({ retracted: z.array(FactRecord), budget: Budget }),
        of: ({ facts, budget }) => ({ retracted: facts, budget }),
      },
    },
  },
  async run({ project: name, id, reason }, app) {
    const project = await projectOf(app, name);
    const fact = await lookUpFact(app.store, project, id);
    const retracted = await retractFact(app.store, project, fact, {
      source: sourceOf(app),
      ...(reason !== undefined && { reason }),
    });
    return {
      project: named(project),
      retracted: retracted.map((gone) => gone.id),
      facts: retracted.map(toFact),
      budget: await budgetOf(app.store, project),
    };
  },
});
