import { z } from 'zod';
import { idsOf, ofProject } from '../memory/index.ts';
import type { Filters } from '../recall/index.ts';
import { endOf, startOf } from '../recollection/index.ts';
import { PLACES, Role, type SessionInfo } from '../record/index.ts';
import { findSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';

// Fields that several tools take, in the same words.

export const SESSION = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'A session to read: its id, the start of its id, or its title. The answer names the id that was found.',
  );

/** For tools that write: what is written about a session must not end up at another one that fits as well. */
export const SESSION_ID = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'The whole id of a session, as "sessions" and hits show it; a title or the start of it is refused.',
  );

export const PROJECT = z
  .string()
  .max(1000)
  .describe(
    'Only sessions of this project: its id or the start of it, its name, a folder, or as "sessions" shows it.',
  );

export const MAX_TOKENS = z
  .int()
  .min(100)
  .max(10_000)
  .optional()
  .describe('How long the answer may be; 2,000 tokens unless given.');
export const TOKENS = 2000;

export const FILTERS = z.strictObject({
  session: SESSION.optional().describe(
    'Only what one sees in this session: its id, the start of it, or its title. Hits name the id.',
  ),
  project: PROJECT.optional(),
  agent: z.string().max(200).optional().describe('Only sessions of this agent.'),
  tag: z.string().max(200).optional().describe('Only sessions with this tag.'),
  place: z.enum(PLACES).optional().describe('Only there; without it everywhere but in the trash.'),
  role: Role.optional().describe('Only what this one said.'),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Only from this time on, as 2025-05-08 or 2025-05-08T14:00:00Z.'),
  until: z.string().max(40).optional().describe('Only up to this time; a day counts to its end.'),
  file: z.string().max(1000).optional().describe('Only messages that called a tool on this file or folder.'),
  decision: z.boolean().optional().describe('Only messages that state a choice.'),
});

/** For the model that gave a title or the start of an id: which session its answer is about. */
export function sayFound(asked: string, { id }: SessionInfo): string[] {
  return asked === id ? [] : [`"${asked}" is the session ${id}.`];
}

export async function readFilters(store: Store, fields: z.infer<typeof FILTERS>): Promise<Filters> {
  const { session, project, agent, tag, place, role, since, until, file, decision } = fields;
  return {
    ...(session !== undefined && { session: (await findSession(store, session)).id }),
    ...(project !== undefined && { sessions: await idsOf(store, await ofProject(store, project)) }),
    ...(agent !== undefined && { agent }),
    ...(tag !== undefined && { tag }),
    ...(place !== undefined && { place }),
    ...(role !== undefined && { role }),
    ...(since !== undefined && { since: startOf(since) }),
    ...(until !== undefined && { until: endOf(until) }),
    ...(file !== undefined && { file }),
    ...(decision && { decision: true as const }),
  };
}
