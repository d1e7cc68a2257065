import { z } from 'zod';
import {
  fitFacts,
  type MemoryFact,
  type Project,
  readMemory,
  type ShownFact,
  showFacts,
  type WrittenFact,
} from '../../project/index.ts';
import { type FactSource, LONGEST_FACT } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { findReachable, reachesProject } from '../access.ts';
import type { App } from '../app.ts';
import { EntryIdField } from '../fields.ts';
import { ProjectRecord, toProject } from '../project/projects.ts';

// Fields are added to records, never changed: clients rely on them.

export const Source = z.looseObject({
  by: z.enum(['person', 'agent', 'summary']),
  name: z.string().optional(),
  session: z.string().optional(),
  entries: z.array(z.string()).optional(),
});

export const FactList = z.enum(['facts', 'decisions']);
const FactStatus = z.enum(['live', 'superseded', 'retracted', 'proposed', 'declined']);

const Contradicted = z.strictObject({
  id: z.string(),
  kind: z.string(),
  newer: z.boolean().describe('The other one was written later: where both cannot hold, it does.'),
});

export const FactRecord = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    list: FactList,
    status: FactStatus,
    at: z.number(),
    sources: z.array(Source),
    supersedes: z.array(z.string()),
    repeats: z.array(z.string()).describe('Later facts in the same words; they end with this one.'),
    contradicts: z.array(Contradicted),
  })
  .meta({ id: 'Fact' });
export type FactRecord = z.infer<typeof FactRecord>;

export const Budget = z.strictObject({
  limit: z.int(),
  used: z.int(),
  left: z.int(),
  stored: z.int(),
  loaded: z.int(),
});

export const FactStep = z.strictObject({
  step: z.enum(['added', 'proposed', 'accepted', 'declined', 'retracted', 'superseded']),
  entry: z.string().describe('The entry that says so; for `superseded` the fact that took its place.'),
  seq: z.int(),
  at: z.number(),
  source: Source,
});

/** A fact that stands against the one that was written. */
const RivalFact = FactRecord.pick({ id: true, text: true, list: true, status: true, at: true }).extend({
  kind: z.string(),
  source: Source,
  seq: z.int(),
  supersedes: z.array(z.string()),
  steps: z.array(FactStep.extend({ reason: z.string().optional() })).describe('Oldest first.'),
});

export const ProjectName = z.strictObject({ id: z.string(), name: z.string() });
export const WrittenFactRecord = z.strictObject({
  project: ProjectRecord.extend({ id: z.string() }),
  fact: FactRecord,
  repeated: z.boolean().describe('It was known in these words already, so nothing was written.'),
  contradicts: z.array(RivalFact).describe('Facts that it contradicts, or may. They are kept.'),
  budget: Budget,
});
export type WrittenFactRecord = z.output<typeof WrittenFactRecord>;

export const FactText = z
  .string()
  .min(1)
  .describe('One line of at most 2,000 characters that can be understood by itself.');
export const ReasonField = z.string().max(LONGEST_FACT).optional();
export const FactIdField = EntryIdField.describe('The id of the fact.');

export async function projectOf({ store, access, place }: App, name: string): Promise<Project> {
  if (place?.project.id === name && reachesProject(access, place.project)) return place.project;
  return findReachable(store, access, name);
}

export function sourceOfFact({ speaker, access: { user } }: App): FactSource {
  return speaker ?? { by: 'person', ...(user !== 'owner' && { name: user }) };
}

export const named = ({ id, name }: Project) => ({ id, name });

/** The room that the facts of a project take and leave. */
export async function budgetOf(store: Store, project: Project): Promise<z.output<typeof Budget>> {
  const known = showFacts(await readMemory(store, project));
  return { ...fitFacts(known, { limit: project.budget }).budget };
}

export function toFact(fact: MemoryFact | ShownFact): FactRecord {
  const { id, text, list: kind, status, at, supersedes, source } = fact;
  const { sources, repeats, contradicts }: Pick<ShownFact, 'sources' | 'repeats' | 'contradicts'> =
    'sources' in fact ? fact : { sources: [source], repeats: [], contradicts: [] };
  return {
    id,
    text,
    list: kind,
    status,
    at,
    sources: sources.map((one) => ({ ...one })),
    supersedes: [...supersedes],
    repeats: [...repeats],
    contradicts: contradicts.map((other) => ({ ...other })),
  };
}

export function toWritten({ project, fact, repeated, contradicts, budget }: WrittenFact): WrittenFactRecord {
  return {
    project: { ...toProject(project), id: project.id },
    fact: toFact(fact),
    repeated,
    contradicts: contradicts.map(({ id, text, list: kind, status, at, ...rival }) => ({
      id,
      text,
      list: kind,
      status,
      at,
      kind: rival.kind,
      source: { ...rival.source },
      seq: rival.seq,
      supersedes: [...rival.supersedes],
      steps: rival.steps.map((step) => ({ ...step, source: { ...step.source } })),
    })),
    budget: { ...budget },
  };
}
