import { z } from 'zod';
import type { Entry } from '../../record/index.ts';
import { markEntries, openSession } from '../../session/index.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { NumberedCompaction, toNumbered } from './number-compactions.ts';

const printed = {
  schema: NumberedCompaction,
  of: ({ compaction }: { readonly compaction: NumberedCompaction }) => compaction,
};

export const foldCompaction = operation({
  name: 'session/fold',
  summary:
    'Puts the originals of one compaction back into the context, or hides them behind its summary again. Compactions that cover it are expanded with it; those under it stay as they are.',
  writes: true,
  fails: ['entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    id: EntryIdField.describe('The compaction; a removed one may be named too.'),
    fold: z.enum(['expanded', 'collapsed']),
  }),
  result: z.strictObject({
    compaction: NumberedCompaction.describe('As it stands now, which may not be as asked.'),
    compactions: z.array(NumberedCompaction).describe('All of the session.'),
    opened: z.array(z.int()).describe('The numbers of those that were expanded with it.'),
  }),
  faces: {
    help: {
      expand: 'Put what a compaction covers back into the context.',
      collapse: 'Hide what a compaction covers behind its summary again.',
    },
    cli: { 'expand <session> <compaction>': printed, 'collapse <session> <compaction>': printed },
  },
  async run({ sessionId, id, fold }, { store, find }) {
    const { listCompactions } = await import('../../compaction/index.ts');
    const info = await find(sessionId);
    await using session = await openSession(store, info.id, { mode: 'join' });
    const marks = await markEntries(session, fold, [{ entry: id }]);
    const compactions = (await listCompactions(store, await session.refresh())).map(toNumbered);
    const also = compactions.filter(
      (other) => other.id !== id && marks.some((mark) => isAbout(mark, other.id)),
    );
    return {
      compaction: compactions.find((other) => other.id === id)!,
      compactions,
      opened: also.map(({ number }) => number),
    };
  },
});

function isAbout({ body }: Entry, id: string): boolean {
  return body.kind === 'mark' && 'entry' in body.target && body.target.entry === id;
}
