import { z } from 'zod';
import { factHistory, findFact, readMemory, wholeHistory } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { FactIdField, named, ProjectName, projectOf, Source } from './fact-record.ts';

const HistoryStep = z.strictObject({
  fact: z.string(),
  step: z.enum(['added', 'proposed', 'accepted', 'declined', 'retracted', 'superseded']),
  text: z.string().nullable(),
  at: z.number(),
  source: Source,
  reason: z.string().nullable(),
  entry: z.string().describe('The entry that says so; for `superseded` the fact that took its place.'),
  seq: z.int(),
});
export type HistoryStep = z.infer<typeof HistoryStep>;

/** As the command prints it: without the fields that are empty. */
const HistoryLine = HistoryStep.extend({ text: z.string().optional(), reason: z.string().optional() });

export const showHistory = operation({
  name: 'memory/history',
  summary: 'Everything that ever happened in the memory of a project, or to one fact, oldest first.',
  params: z.strictObject({ project: ProjectField, id: FactIdField.optional() }),
  result: z.strictObject({
    project: ProjectName,
    steps: z.array(HistoryStep),
  }),
  faces: {
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
