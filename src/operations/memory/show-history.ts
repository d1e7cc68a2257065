import { z } from 'zod';
import { factHistory, findFact, readMemory, wholeHistory } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, named, ProjectName, projectOf, Source } from './fact-record.ts';

export const showHistory = operation({
  name: 'memory/history',
  summary: 'Everything that ever happened in the memory of a project, or to one fact, oldest first.',
  params: z.strictObject({ project: ProjectField, id: FactIdField.optional() }),
  result: z.strictObject({
    project: ProjectName,
    steps: z.array(
      z.strictObject({
        fact: z.string(),
        step: z.enum(['added', 'proposed', 'accepted', 'declined', 'retracted', 'superseded']),
        text: z.string().nullable(),
        at: z.number(),
        source: Source,
        reason: z.string().nullable(),
      }),
    ),
  }),
  faces: { rpc: true },
  async run({ project: name, id }, app) {
    const project = await projectOf(app, name);
    const memory = await readMemory(app.store, project);
    const lines =
      id === undefined ? wholeHistory(memory) : factHistory(memory, findFact(memory.facts.values(), id).id);
    return {
      project: named(project),
      steps: lines.map(({ fact, step, text = null, at, source, reason = null }) => ({
        fact,
        step,
        text,
        at,
        source: { ...source },
        reason,
      })),
    };
  },
});
