import { z } from 'zod';
import type { MemoryFact, Project, ShownFact, WrittenFact } from '../../memory/index.ts';
import type { FactSource } from '../../record/index.ts';
import { findReachable, reachesProject } from '../access.ts';
import type { App } from '../app.ts';
import { EntryIdField } from '../fields.ts';

export const Source = z.looseObject({
  by: z.enum(['person', 'agent', 'summary']),
  name: z.string().optional(),
  session: z.string().optional(),
  entries: z.array(z.string()).optional(),
});

export const FactList = z.enum(['facts', 'decisions']);

export const FactRecord = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    list: FactList,
    status: z.enum(['live', 'superseded', 'retracted', 'proposed', 'declined']),
    at: z.number(),
    sources: z.array(Source),
    supersedes: z.array(z.string()),
    contradicts: z.array(z.strictObject({ id: z.string(), kind: z.string() })),
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

export const ProjectName = z.strictObject({ id: z.string(), name: z.string() });
export const Written = z.strictObject({
  project: ProjectName,
  fact: FactRecord,
  repeated: z.boolean().describe('It was known in these words already, so nothing was written.'),
  contradicts: z
    .array(z.strictObject({ id: z.string(), text: z.string(), kind: z.string() }))
    .describe('Facts that it contradicts, or may. They are kept.'),
  budget: Budget,
});
export const FactText = z.string().min(1).max(2000).describe('One line that can be understood by itself.');
export const FactIdField = EntryIdField.describe('The id of the fact.');

export async function projectOf({ store, access, place }: App, name: string): Promise<Project> {
  if (place?.id === name && reachesProject(access, place)) return place;
  return findReachable(store, access, name);
}

export function sourceOf({ speaker, access: { user } }: App): FactSource {
  return speaker ?? { by: 'person', ...(user !== 'owner' && { name: user }) };
}

export const named = ({ id, name }: Project) => ({ id, name });

export function toFact(fact: MemoryFact | ShownFact): FactRecord {
  const { id, text, list: kind, status, at, supersedes, source } = fact;
  const sources = 'sources' in fact ? fact.sources : [source];
  const contradicts = 'contradicts' in fact ? fact.contradicts : [];
  return {
    id,
    text,
    list: kind,
    status,
    at,
    sources: sources.map((one) => ({ ...one })),
    supersedes: [...supersedes],
    contradicts: contradicts.map(({ id: other, kind: how }) => ({ id: other, kind: how })),
  };
}

export function toWritten(written: WrittenFact): z.output<typeof Written> {
  const { project, fact, repeated, contradicts, budget } = written;
  return {
    project: named(project),
    fact: toFact(fact),
    repeated,
    contradicts: contradicts.map(({ id, text, kind }) => ({ id, text, kind })),
    budget: { ...budget },
  };
}
