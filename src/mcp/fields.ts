import { z } from 'zod';
import { FilterFields } from '../operations/search/index.ts';
import { parseSpan } from '../recollection/index.ts';
import { getSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';

// Fields that several tools take, in the same words.

/** Titles are written by others and ids begin alike: a tool must not reach another session that fits as well. */
export const SESSION_ID = z
  .string()
  .min(1)
  .max(200)
  .describe(
    'The whole id of a session, as "sessions" and hits show it; a title or the start of it is refused.',
  );

export const MAX_TOKENS = z
  .int()
  .min(100)
  .max(10_000)
  .optional()
  .describe('How long the answer may be; 2,000 tokens unless given.');
export const TOKENS = 2000;

/** The filters of a search, with sessions and times as a model writes them. */
export const FILTERS = FilterFields.omit({ sessionId: true, lineage: true }).extend({
  session: SESSION_ID.optional().describe(
    'Only what one sees in this session: its whole id, as "sessions" and hits show it.',
  ),
  since: z
    .string()
    .max(40)
    .optional()
    .describe('Only from this time on, as 2025-05-08 or 2025-05-08T14:00:00Z.'),
  until: z.string().max(40).optional().describe('Only up to this time; a day counts to its end.'),
});

export async function readFilters(
  store: Store,
  { session, since, until, ...fields }: z.output<typeof FILTERS>,
): Promise<z.input<typeof FilterFields>> {
  return {
    ...fields,
    ...(session !== undefined && { sessionId: (await getSession(store, session)).id }),
    ...parseSpan({ since, until }),
  };
}
