import { z } from 'zod';
import {
  factHistory,
  findFact,
  folderOf,
  memoryHead,
  nestedInstructions,
  offerLinks,
  readMemory,
  setBudget,
  wholeHistory,
} from '../../project/index.ts';
import { ProjectField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ProjectRecord, toProject } from '../project/projects.ts';
import { Budget, budgetOf, FactIdField, FactStep, named, ProjectName, projectOf } from './fact-record.ts';
import { ListedFact, RoomField, toListed } from './facts.ts';

const InstructionFile = z.strictObject({
  path: z.string(),
  name: z.string().describe('As a reader in the project names it.'),
  bytes: z.int(),
  tokens: z.int(),
  hash: z.string().describe('SHA-256 of the part that was read.'),
  modifiedAt: z.number(),
  cut: z.boolean().describe('Only its beginning was read: it is larger than an instruction file may be.'),
  sameAs: z.string().exactOptional().describe('The name of an outer file with the same content.'),
  problem: z.enum(['outside', 'not-a-file', 'unreadable']).exactOptional().describe('Why it was not read.'),
});

const Offer = z.strictObject({
  project: z.string(),
  because: z.enum(['same-repository', 'own-store', 'same-name']),
  moved: z.boolean().describe('Its folder is gone, so this may be where it went.'),
});

const result = z.strictObject({
  project: ProjectRecord,
  budget: Budget,
  facts: z.array(ListedFact),
  instructions: z.array(InstructionFile).describe('At the top of the project and above it.'),
  nested: z.strictObject({
    files: z.array(z.string()).describe('Instruction files for folders of the project.'),
    incomplete: z.boolean().describe('There were too many folders to look into all of them.'),
  }),
  offers: z.array(Offer).describe('Projects that a folder which is new may be.'),
  text: z.string().describe('The instructions and the facts, word for word as a model is shown them.'),
});

/** The form that the command line has promised: the text is a separate option. */
const Printed = result.omit({ text: true }).extend({ nested: z.array(z.string()) });

export const showMemory = operation({
  name: 'memory/show',
  summary: 'Show what is known about a project, and how much of its budget that takes.',
  params: z.strictObject({ project: ProjectField, tokens: RoomField }),
  result,
  faces: {
    cli: {
      memory: {
        schema: Printed,
        of: ({ text: _, nested, ...shown }) => ({ ...shown, nested: nested.files }),
      },
    },
  },
  async run({ project: name, tokens }, app) {
    const project = await projectOf(app, name);
    const { top, offers } =
      app.place?.project === project
        ? app.place
        : { top: folderOf(project), offers: await offerLinks(app.store, project) };
    const { known, facts, instructions, pieces } = await memoryHead(app.store, {
      project,
      ...(top !== undefined && { folder: top }),
      factTokens: tokens,
    });
    const nested = top === undefined ? undefined : await nestedInstructions(top);
    return {
      project: toProject(project),
      budget: { ...facts.budget },
      facts: toListed(known, facts),
      instructions: instructions.files.map(({ text: _, ...file }) => file),
      nested: { files: [...(nested?.files ?? [])], incomplete: nested?.incomplete === true },
      offers: offers.map(({ project: { id }, because, moved }) => ({ project: id, because, moved })),
      text: pieces.map((piece) => piece.text).join('\n\n'),
    };
  },
});

export const setFactBudget = operation({
  name: 'memory/budget',
  summary: "Sets how many tokens a project's facts may take in a context.",
  writes: true,
  params: z.strictObject({
    project: ProjectField,
    tokens: z.int().min(1).optional().describe('The usual number again unless given.'),
  }),
  result: z.strictObject({ project: ProjectRecord, budget: Budget }),
  faces: {
    help: { 'memory budget': "Set how many tokens a project's facts may take in a context." },
    cli: { 'memory budget': 'result' },
  },
  async run({ project: name, tokens }, app) {
    const project = await setBudget(app.store, await projectOf(app, name), tokens);
    return { project: toProject(project), budget: await budgetOf(app.store, project) };
  },
});

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
