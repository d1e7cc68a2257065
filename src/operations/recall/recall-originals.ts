import { z } from 'zod';
import { operation } from '../operation.ts';
import { Behind, FilterFields, filtersIn } from '../search/filter-fields.ts';
import { MaxTokensField } from './original-record.ts';

/** The frame around the whole answer, and the label before each message: number, role, day and session. */
const FRAME_TOKENS = 30;
const LABEL_TOKENS = 40;

export const recallOriginals = operation({
  name: 'recall',
  summary:
    'Gives what earlier conversations say about a question, word for word and ready to read: the best message with what was said right before and after it, then the next best, as far as the room goes.',
  params: z.strictObject({
    question: z.string().min(1).max(2000).describe('What you want to know, in a sentence.'),
    ...FilterFields.shape,
    maxTokens: MaxTokensField,
  }),
  result: z.strictObject({
    originals: z
      .array(
        z.strictObject({
          session: z.string(),
          entry: z.string(),
          seq: z.int(),
          at: z.number(),
          role: z.string(),
          text: z.string(),
        }),
      )
      .describe('Best first.'),
    behind: Behind,
  }),
  faces: { mcp: ['recall'] },
  async run({ question, maxTokens, ...asked }, app) {
    const { createOpenCheck, gatherOriginals } = await import('../../recollection/index.ts');
    const filters = await filtersIn(asked, app);
    const { recall, behind } = await (await app.index()).current();
    const gathered = await gatherOriginals(app.store, recall, question, {
      filters,
      maxTokens: maxTokens - FRAME_TOKENS,
      labelTokens: LABEL_TOKENS,
      redact: (text) => text,
      seenIn: (owner) => filters.session ?? owner,
      isOpen: createOpenCheck(app.store),
    });
    return { originals: gathered.map((original) => ({ ...original })), behind };
  },
});
