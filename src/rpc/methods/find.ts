import { z } from 'zod';
import { Place } from './fields.ts';
import { method } from './method.ts';

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

export const find = {
  'session/find': method({
    summary:
      'Looks up the session that a person means by an id, the start of one, a title, a first question, or a number of their list. Every other method takes exact ids.',
    params: z.strictObject({
      text: z.string().min(1).max(10_000).describe('As it was typed or pasted.'),
      limit: z.int().min(1).max(50).default(10),
      trashed: z
        .boolean()
        .default(false)
        .describe('Look in the trash too; an exact id is found there anyway.'),
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
  }),
} as const;
