import { z } from 'zod';
import { SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';

const Mirror = z.strictObject({
  file: z.string(),
  key: z.string(),
  stamp: z.string(),
  headerBytes: z.int(),
  last: z.strictObject({ seq: SeqField, queries: z.int(), offset: z.int() }).optional(),
});

export const mirrorSession = operation({
  name: 'session/mirror',
  summary: 'Writes the markdown transcript of a session beside the store.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    before: Mirror.optional().describe('The result of the last call: what it wrote is not rendered again.'),
  }),
  result: Mirror,
  faces: { chat: ['message', 'compact', 'resume', 'fork', 'retry', 'exit'] },
  async run({ sessionId, before }, { store, find }) {
    const { writeMirror } = await import('../../transcripts/index.ts');
    const { location } = store.facts;
    const { last, ...mirror } = await writeMirror(store, await find(sessionId), {
      location,
      before: before && { ...before, last: before.last },
    });
    return { ...mirror, ...(last && { last }) };
  },
});
