import { z } from 'zod';
import { addFact, findFact, readMemory } from '../../memory/index.ts';
import { EntryIdField, NewIdField, ProjectField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, FactList, FactText, projectOf, sourceOf, toWritten, Written } from './fact-record.ts';

export const addProjectFact = operation({
  name: 'memory/add',
  summary: 'Writes a fact down for every later session of the project.',
  writes: true,
  fails: ['fact-not-found', 'entry-conflict'],
  params: z.strictObject({
    project: ProjectField,
    text: FactText,
    list: FactList.default('facts'),
    supersedes: z.array(FactIdField).max(20).default([]),
    sessionId: SessionField.optional().describe('Where it was said …'),
    entries: z.array(EntryIdField).max(100).optional().describe('… and in which entries.'),
    id: NewIdField,
  }),
  result: Written,
  faces: {
    help: { 'memory add': 'Write down a fact. One that is known in the same words is not written twice.' },
    rpc: true,
    cli: { 'memory add': 'result' },
    mcp: ['remember'],
  },
  async run(params, app) {
    const { text, list: kind, supersedes, sessionId, entries, id } = params;
    const project = await projectOf(app, params.project);
    const { facts } = await readMemory(app.store, project);
    const session = sessionId === undefined ? undefined : (await app.find(sessionId)).id;
    const written = await addFact(app.store, project, text, {
      source: { ...sourceOf(app), ...(session !== undefined && { session }), ...(entries && { entries }) },
      list: kind,
      ...(id !== undefined && { id }),
      ...(supersedes.length > 0 && { supersedes: supersedes.map((old) => findFact(facts.values(), old).id) }),
    });
    return toWritten(written);
  },
});
