import { z } from 'zod';
import type { Filters } from '../../search/index.ts';
import type { App } from '../app.ts';
import { NarrowingFields, Place, RoleField, SessionField } from '../fields.ts';
import { reachableOf } from '../session/list-sessions.ts';

/** Where to search: every field that is given narrows it. */
export const FilterFields = z.strictObject({
  sessionId: SessionField.optional().describe('Only what one sees in this session.'),
  lineage: SessionField.optional().describe('Only in the family of this session.'),
  ...NarrowingFields,
  place: Place.optional().describe('Only there; without it everywhere but in the trash.'),
  role: z
    .union([RoleField, z.array(RoleField).min(1)])
    .optional()
    .describe('Only messages of this role, or of these.'),
  since: z.number().optional().describe('Milliseconds since 1970, included.'),
  until: z.number().optional().describe('Likewise.'),
  file: z.string().max(1000).optional().describe('Only messages that called a tool on this file or folder.'),
  decision: z.boolean().default(false).describe('Only messages that state a choice.'),
});

export async function filtersIn(
  { sessionId, lineage, project, decision, ...rest }: z.output<typeof FilterFields>,
  app: App,
): Promise<Filters> {
  const { idsOf } = await import('../../project/index.ts');
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Filters),
    ...(sessionId !== undefined && { session: (await app.find(sessionId)).id }),
    ...(lineage !== undefined && { lineage: (await app.find(lineage)).id }),
    ...(project !== undefined && { sessions: await idsOf(app.store, await reachableOf(app, project)) }),
    ...(decision && { decision: true as const }),
  };
}

export const Behind = z
  .strictObject({ done: z.int(), total: z.int() })
  .nullable()
  .describe('How far the index has come, if it is still being made.');
