import { z } from 'zod';
import { changeDraft, type DraftChange } from '../../compaction/index.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { DraftRecord, DraftSection, toDraft } from '../records/draft-record.ts';

const Line = z.string().min(1).max(100).describe('The name of a line of this version.');
const Text = z.string().min(1).max(50_000);
const Pinned = z.boolean().optional().describe('Carried through every later summary.');

const Change = z.discriminatedUnion('do', [
  z.strictObject({
    do: z
      .enum(['drop', 'pin', 'unpin'])
      .describe(
        'A pinned line is in every later summary, until it is unpinned or dropped in a draft. Only lines of lists can be; a file or an item of the ledger becomes a fact.',
      ),
    line: Line,
  }),
  z.strictObject({
    do: z.literal('rewrite'),
    line: Line,
    text: Text,
    section: DraftSection.optional().describe('Another one moves the line there.'),
  }),
  z.strictObject({ do: z.literal('add'), section: DraftSection, text: Text, pinned: Pinned }),
  z.strictObject({
    do: z.literal('rescue'),
    item: z.string().min(1).max(100).describe('The name of an item of `lost` in this version.'),
    text: Text.optional().describe('In these words, instead of in the ledger as it is.'),
    section: DraftSection.optional().describe('The list it is to stand in.'),
    pinned: Pinned,
  }),
]);

export const changeContextDraft = operation({
  name: 'ai/context/draft/change',
  summary:
    'Drops, pins, unpins, rewrites, moves and adds lines of a draft summary, and rescues what it lacks. The result is the next version of the draft, with names of its own.',
  writes: true,
  fails: ['compaction-stale', 'entry-not-found'],
  params: z.strictObject({
    chatSessionId: SessionField,
    draft: EntryIdField.describe(
      'The version whose names are meant. If the draft is another one by now, the call is refused as `compaction-stale`.',
    ),
    changes: z.array(Change).min(1).max(1000).describe('All or none of them, in this order.'),
  }),
  result: z.strictObject({ draft: DraftRecord }),
  faces: { rpc: true, chat: ['compact'] },
  async run({ chatSessionId, draft, changes }, { sessions, find }) {
    const { id } = await find(chatSessionId);
    const given = changes as readonly DraftChange[];
    const changed = await sessions.use(id, (session) => changeDraft(session, { draft, changes: given }));
    return { draft: toDraft(changed) };
  },
});
