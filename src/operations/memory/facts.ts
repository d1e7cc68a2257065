import { z } from 'zod';
import {
  addFact,
  editFact,
  type FittedFacts,
  findFact,
  fitFacts,
  lookUpFact,
  readMemory,
  retractFact,
  type ShownFact,
  showFacts,
} from '../../project/index.ts';
import { EntryIdField, NewIdField, ProjectField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  Budget,
  budgetOf,
  FactIdField,
  FactList,
  FactRecord,
  FactText,
  named,
  ProjectName,
  projectOf,
  ReasonField,
  sourceOfFact,
  toFact,
  toWritten,
  WrittenFactRecord,
} from './fact-record.ts';

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
  result: WrittenFactRecord,
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
      source: {
        ...sourceOfFact(app),
        ...(session !== undefined && { session }),
        ...(entries && { entries }),
      },
      list: kind,
      ...(id !== undefined && { id }),
      ...(supersedes.length > 0 && { supersedes: supersedes.map((old) => findFact(facts.values(), old).id) }),
    });
    return toWritten(written);
  },
});

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
  result: WrittenFactRecord,
  faces: {
    help: { 'memory edit': 'Put a fact in other words. The old ones stay in its history.' },
    rpc: true,
    cli: { 'memory edit': 'result' },
  },
  async run({ project: name, id, text, list: kind }, app) {
    const project = await projectOf(app, name);
    const fact = await lookUpFact(app.store, project, id);
    const options = { source: sourceOfFact(app), ...(kind !== undefined && { list: kind }) };
    return toWritten(await editFact(app.store, project, fact, text, options));
  },
});

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
      source: sourceOfFact(app),
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
