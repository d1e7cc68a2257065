import { z } from 'zod';
import { factHistory, findFact, readMemory, wholeHistory } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, FactStep, named, ProjectName, projectOf } from './fact-record.ts';

const HistoryStep = FactStep.extend({
  fact: z.string(),
  text: z.string().nullable(),
  reason: z.string().nullable(),
});
export type HistoryStep = z.infer<typeof HistoryStep>;

/** As the command prints it: without the fields that are empty. */
const HistoryLine = HistoryStep.extend({ text: z.string().optional(), reason: z.string().optional() });

export const showHistory = operation({
  name: 'memory/history',
  summary: 'The history of the memory of a project, or of one fact, oldest first.',
  fails: ['fact-not-found'],
  params: z.strictObject({ project: ProjectField, id: FactIdField.optional() }),
  result: z.strictObject({
    project: ProjectName,
    steps: z.array(HistoryStep),
  }),
  faces: {
    help: {
      'memory history':
        'Show everything that happened to a fact, and to those it stands in for; or to all of them.',
    },
    rpc: true,
    cli: {
      'memory history': {
        schema: z.array(HistoryLine),
        of: ({ steps }) =>
          steps.map(({ text, reason, ...step }) => ({
            ...step,
            ...(text !== null && { text }),
            ...(reason !== null && { reason }),
          })),
      },
    },
  },
  async run({ project: name, id }, app) {
    const project = await projectOf(app, name);
    const memory = await readMemory(app.store, project);
    const lines =
      id === undefined ? wholeHistory(memory) : factHistory(memory, findFact(memory.facts.values(), id).id);
    return {
      project: named(project),
      steps: lines.map(({ fact, step, text = null, at, source, reason = null, entry, seq }) => ({
        fact,
        step,
        text,
        at,
        source: { ...source },
        reason,
        entry,
        seq,
      })),
    };
  },
});
