import { z } from 'zod';
import type { CompactionDescription } from '../../compaction/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Author, Covers, Retention } from '../records/compaction-record.ts';

export const NumberedCompaction = z.strictObject({
  id: z.string(),
  number: z.int().describe('From 1, in the order they were made; people may give it instead of the id.'),
  level: z.int(),
  covers: Covers,
  children: z.array(z.string()).readonly(),
  tokensBefore: z.int(),
  tokensAfter: z.int(),
  by: Author,
  retention: Retention,
  at: z.number(),
  status: z
    .enum(['collapsed', 'expanded', 'covered', 'removed'])
    .describe(
      '`collapsed`: the model sees its summary. `covered`: a higher one stands in for it. `removed`: undone for good.',
    ),
});
export type NumberedCompaction = z.output<typeof NumberedCompaction>;

const printed = {
  schema: z.array(NumberedCompaction),
  of: ({ compactions }: { readonly compactions: readonly NumberedCompaction[] }) => compactions,
};

export const numberCompactions = operation({
  name: 'session/compactions',
  summary: 'The compactions of a session, numbered in the order they were made; removed ones are among them.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ compactions: z.array(NumberedCompaction) }),
  faces: { cli: { 'expand <session>': printed, 'collapse <session>': printed } },
  async run({ sessionId }, { store, find }) {
    const { listCompactions } = await import('../../compaction/index.ts');
    return { compactions: (await listCompactions(store, await find(sessionId))).map(toNumbered) };
  },
});

export function toNumbered({ by, ...compaction }: CompactionDescription): NumberedCompaction {
  return { ...compaction, by: { ...by } };
}
