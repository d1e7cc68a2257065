import { z } from 'zod';
import { listTurns } from '../../run/index.ts';
import { SeqField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { TurnRecord } from '../records/turn-record.ts';

export const listTurnRecords = operation({
  name: 'turn/list',
  summary: 'The turns of a session, newest first: those that wait, the one that runs, those that are over.',
  params: z.strictObject({
    sessionId: SessionField,
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Of turns that were begun; those that wait are all on the first page.'),
    before: SeqField.optional().describe('From the page before: only turns whose question is older.'),
  }),
  result: z.strictObject({
    turns: z.array(TurnRecord),
    before: z.int().nullable().describe('For the next page; `null` on the last one.'),
  }),
  faces: { rpc: true },
  async run({ sessionId, limit, before }, app) {
    const info = await app.find(sessionId);
    const turns = await listTurns(app.store, info, { limit, ...(before !== undefined && { before }) });
    const begun = turns.filter(({ seq }) => seq !== null);
    const last = begun.length === limit ? begun.at(-1)!.seq : null;
    return { turns: turns, before: last };
  },
});
