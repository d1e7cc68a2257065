import { z } from 'zod';
import { readDraft } from '../../compaction/index.ts';
import { openSession } from '../../session/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { DraftRecord, toDraft } from '../records/draft-record.ts';

export const getDraft = operation({
  name: 'ai/context/draft/get',
  summary: 'The draft summary of a session, line by line, with the entries that each line comes from.',
  params: z.strictObject({ chatSessionId: SessionField }),
  result: z.strictObject({ draft: DraftRecord.nullable().describe('`null` if it has none.') }),
  faces: { rpc: true },
  async run({ chatSessionId }, { store, find }) {
    const { id } = await find(chatSessionId);
    await using session = await openSession(store, id, { mode: 'read' });
    const draft = await readDraft(session);
    return { draft: draft ? toDraft(draft) : null };
  },
});
