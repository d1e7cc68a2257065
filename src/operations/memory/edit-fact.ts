import { z } from 'zod';
import { editFact, lookUpFact } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, FactList, FactText, projectOf, sourceOf, toWritten, Written } from './fact-record.ts';

export const editProjectFact = operation({
  name: 'memory/edit',
  summary: 'Puts a fact in other words. The old ones stay in its history.',
  writes: true,
  fails: ['fact-not-found'],
  params: z.strictObject({
    project: ProjectField,
    id: FactIdField,
    text: FactText,
    list: FactList.optional(),
  }),
  result: Written,
  faces: {
    help: { 'memory edit': 'Put a fact in other words. The old ones stay in its history.' },
    rpc: true,
    cli: { 'memory edit': 'result' },
  },
  async run({ project: name, id, text, list: kind }, app) {
    const project = await projectOf(app, name);
    const fact = await lookUpFact(app.store, project, id);
    const options = { source: sourceOf(app), ...(kind !== undefined && { list: kind }) };
    return toWritten(await editFact(app.store, project, fact, text, options));
  },
});
