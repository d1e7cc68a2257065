import { z } from 'zod';
import { Place, Role, SessionField, TagField } from '../../operations/index.ts';
import { method } from './method.ts';

const SearchHit = z.strictObject({
  session: z.string(),
  title: z.string().describe("The session's."),
  entry: z.string(),
  seq: z.int(),
  role: Role,
  at: z.number(),
  snippet: z.string(),
  score: z.number().describe('Between 0 and 1 within one search.'),
});

export const search = {
  search: method({
    summary: 'Finds anything ever said, compacted or not, by words and by meaning. Best first.',
    params: z.strictObject({
      query: z.string().max(10_000).describe('Any text; an empty one gives the newest messages.'),
      limit: z.int().min(1).max(100).default(20),
      sessionId: SessionField.optional().describe('Only what one sees in this session.'),
      lineage: SessionField.optional().describe('Only in the family of this session.'),
      project: z
        .string()
        .max(1000)
        .optional()
        .describe('Its id or the start of it, its name, one of its folders, or what sessions call it.'),
      agent: z.string().max(200).optional(),
      tag: TagField.optional(),
      place: Place.optional().describe('Without it everywhere but in the trash.'),
      role: Role.optional(),
      since: z.number().optional().describe('Milliseconds since 1970, included.'),
      until: z.number().optional(),
      file: z
        .string()
        .max(1000)
        .optional()
        .describe('Only messages that called a tool on this file or folder.'),
      decision: z.boolean().default(false).describe('Only messages that state a choice.'),
      by: z.enum(['both', 'words', 'meaning']).default('both'),
      mark: z
        .tuple([z.string().max(20), z.string().max(20)])
        .default(['', ''])
        .describe('What stands around a match in a snippet.'),
    }),
    result: z.strictObject({
      hits: z.array(SearchHit),
      behind: z
        .strictObject({ done: z.int(), total: z.int() })
        .nullable()
        .describe('How far the index has come, if it is still being made.'),
    }),
  }),
} as const;
