import { z } from 'zod';
import { editFact, findFact, readMemory } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, FactList, FactText, projectOf, sourceOf, toWritten, Written } from './fact-record.ts';

export const editProjectFact = operation({
  name: 'memory/edit',
  summary: 'Says a fact anew. The old words stay in its history.',
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    id: FactIdField,
    text: FactText,
    list: FactList.optional(),
  }),
  result: Written,
  faces: { rpc: true },
  async run({ project: name, id, text, list: kind }, app) {
    const project = await projectOf(app, name);
    const { facts } = await readMemory(app.store, project);
    const fact = findFact(facts.values(), id);
    const options = { source: sourceOf(app), ...(kind !== undefined && { list: kind }) };
    return toWritten(await editFact(app.store, project, fact, text, options));
  },
});
