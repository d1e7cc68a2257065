import { z } from 'zod';
import { placeOf, type SessionInfo } from '../../record/index.ts';
import { listCandidates, titleInChain } from '../../session/index.ts';
import { isShown } from '../access.ts';
import { Place } from '../fields.ts';
import { operation } from '../operation.ts';

const Candidate = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    updatedAt: z.number(),
    place: Place,
    by: z
      .enum(['id', 'number', 'title', 'prefix'])
      .describe(
        '`id`: its whole id. `number`: a line of `list`. `title`: its title or first question. `prefix`: the start of its id.',
      ),
  })
  .meta({ id: 'Candidate' });

export const findSession = operation({
  name: 'session/find',
  summary:
    'Looks up the session that a person means by an id, the start of one, a title, a first question, or a number of their list. Every other method takes exact ids.',
  params: z.strictObject({
    text: z.string().min(1).max(10_000).describe('As it was typed or pasted.'),
    limit: z.int().min(1).max(50).default(10),
    trashed: z.boolean().default(false).describe('Look in the trash too; an exact id is found there anyway.'),
    list: z
      .array(z.string().max(200))
      .max(1000)
      .optional()
      .describe('The ids of a numbered list that the person sees: `2` is its second line.'),
  }),
  result: z.strictObject({
    match: z.string().nullable().describe('The id, if exactly one session fits.'),
    candidates: z
      .array(Candidate)
      .describe('An exact id stands alone. Otherwise the line of the list, then the newest first.'),
    more: z.boolean().describe('More sessions fit than are listed.'),
  }),
  faces: { rpc: true },
  async run({ text, limit, trashed, list }, { store, access }) {
    const reaches = (info: SessionInfo) => isShown(store, access, info);
    const { candidates, more } = await listCandidates(store, text, {
      limit,
      trashed,
      ...(list && { list }),
      reaches,
      tombstones: access.projects === null,
    });
    return {
      match: candidates.length === 1 && !more ? candidates[0]!.info.id : null,
      candidates: await Promise.all(
        candidates.map(async ({ info, by }) => ({
          id: info.id,
          title: await titleInChain(store, info, reaches),
          updatedAt: info.updatedAt,
          place: placeOf(info.state),
          by,
        })),
      ),
      more,
    };
  },
});
