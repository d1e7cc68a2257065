import { z } from 'zod';
import { findFact, readMemory, retractFact } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, named, ProjectName, projectOf, sourceOf } from './fact-record.ts';

export const retractProjectFact = operation({
  name: 'memory/retract',
  summary: 'Takes a fact back. It stays in the history, with the reason.',
  writes: true,
  params: z.strictObject({ project: ProjectField, id: FactIdField, reason: z.string().max(2000).optional() }),
  result: z.strictObject({ project: ProjectName, retracted: z.array(z.string()) }),
  faces: { rpc: true },
  async run({ project: name, id, reason }, app) {
    const project = await projectOf(app, name);
    const { facts } = await readMemory(app.store, project);
    const gone = await retractFact(app.store, project, findFact(facts.values(), id), {
      source: sourceOf(app),
      ...(reason !== undefined && { reason }),
    });
    return { project: named(project), retracted: gone.map((fact) => fact.id) };
  },
});
