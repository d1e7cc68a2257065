import { z } from 'zod';
import { EntryIdField, NewIdField, ProjectField, SessionField } from '../../operations/index.ts';
import { method } from './method.ts';

const Source = z.looseObject({
  by: z.enum(['person', 'agent', 'summary']),
  name: z.string().optional(),
  session: z.string().optional(),
  entries: z.array(z.string()).optional(),
});

const List = z.enum(['facts', 'decisions']);

export const FactRecord = z
  .strictObject({
    id: z.string(),
    text: z.string(),
    list: List,
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

const ProjectName = z.strictObject({ id: z.string(), name: z.string() });
const Written = z.strictObject({
  project: ProjectName,
  fact: FactRecord,
  repeated: z.boolean(),
  budget: Budget,
});
const Text = z.string().min(1).max(2000).describe('One line that can be understood by itself.');
const Fact = EntryIdField.describe('The id of the fact.');

const ProposalRecord = z.strictObject({
  id: z.string(),
  text: z.string(),
  list: List,
  sources: z.array(Source),
  at: z.number(),
});

export const memory = {
  'memory/list': method({
    summary: 'What a project knows, oldest first, contradictions included.',
    params: z.strictObject({ project: ProjectField }),
    result: z.strictObject({ project: ProjectName, facts: z.array(FactRecord), budget: Budget }),
  }),
  'memory/add': method({
    summary: 'Writes a fact down for every later session of the project.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      text: Text,
      list: List.default('facts'),
      supersedes: z.array(Fact).max(20).default([]),
      sessionId: SessionField.optional().describe('Where it was said …'),
      entries: z.array(EntryIdField).max(100).optional().describe('… and in which entries.'),
      id: NewIdField,
    }),
    result: Written,
  }),
  'memory/edit': method({
    summary: 'Says a fact anew. The old words stay in its history.',
    writes: true,
    params: z.strictObject({ project: ProjectField, id: Fact, text: Text, list: List.optional() }),
    result: Written,
  }),
  'memory/retract': method({
    summary: 'Takes a fact back. It stays in the history, with the reason.',
    writes: true,
    params: z.strictObject({ project: ProjectField, id: Fact, reason: z.string().max(2000).optional() }),
    result: z.strictObject({ project: ProjectName, retracted: z.array(z.string()) }),
  }),
  'memory/history': method({
    summary: 'Everything that ever happened in the memory of a project, or to one fact, oldest first.',
    params: z.strictObject({ project: ProjectField, id: Fact.optional() }),
    result: z.strictObject({
      project: ProjectName,
      steps: z.array(
        z.strictObject({
          fact: z.string(),
          step: z.enum(['added', 'proposed', 'accepted', 'declined', 'retracted', 'superseded']),
          text: z.string().nullable(),
          at: z.number(),
          source: Source,
          reason: z.string().nullable(),
        }),
      ),
    }),
  }),
  'memory/proposals': method({
    summary: 'What could be written down: proposed by agents, or found in summaries. Newest first.',
    params: z.strictObject({ project: ProjectField, limit: z.int().min(1).max(500).default(100) }),
    result: z.strictObject({ project: ProjectName, proposals: z.array(ProposalRecord) }),
  }),
  'memory/accept': method({
    summary: 'Makes proposals facts.',
    writes: true,
    params: z.strictObject({ project: ProjectField, ids: z.array(EntryIdField).min(1).max(100) }),
    result: z.strictObject({ project: ProjectName, accepted: z.array(z.string()) }),
  }),
  'memory/decline': method({
    summary: 'Turns proposals down; they are not proposed again.',
    writes: true,
    params: z.strictObject({
      project: ProjectField,
      ids: z.array(EntryIdField).min(1).max(100),
      reason: z.string().max(2000).optional(),
    }),
    result: z.strictObject({ project: ProjectName, declined: z.array(z.string()) }),
  }),
} as const;
