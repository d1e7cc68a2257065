import { z } from 'zod';
import { type FittedFacts, fitFacts, readMemory, type ShownFact, showFacts } from '../../memory/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Budget, FactRecord, named, ProjectName, projectOf, toFact } from './fact-record.ts';

export const ListedFact = FactRecord.extend({
  leftOut: z
    .enum(['over-budget', 'outdone'])
    .nullable()
    .describe('Why a model is not shown it: there is no room, or a newer fact stands in for the same one.'),
}).meta({ id: 'ListedFact' });
export type ListedFact = z.infer<typeof ListedFact>;

export const RoomField = z
  .int()
  .min(1)
  .optional()
  .describe('As if the facts had this many tokens of room; the budget of the project unless given.');

export const listFacts = operation({
  name: 'memory/list',
  summary: 'The facts that a project knows, oldest first, contradictions included.',
  params: z.strictObject({ project: ProjectField, tokens: RoomField }),
  result: z.strictObject({
    project: ProjectName,
    facts: z.array(ListedFact),
    budget: Budget,
    text: z.string().describe('The facts word for word as a model is shown them; empty without any.'),
  }),
  faces: { rpc: true },
  async run({ project: name, tokens }, app) {
    const project = await projectOf(app, name);
    const known = showFacts(await readMemory(app.store, project));
    const fitted = fitFacts(known, { limit: tokens ?? project.budget });
    return {
      project: named(project),
      facts: toListed(known, fitted),
      budget: { ...fitted.budget },
      text: fitted.text,
    };
  },
});

export function toListed(known: readonly ShownFact[], { leftOut }: FittedFacts): ListedFact[] {
  const reasons = new Map(leftOut.map(({ id, reason }) => [id, reason]));
  return known.map((fact) => ({ ...toFact(fact), leftOut: reasons.get(fact.id) ?? null }));
}
