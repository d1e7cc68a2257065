import { z } from 'zod';
import { Author } from '../../record/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { plain, workToWrite } from './find-work.ts';

export const compactWorkSession = operation({
  name: 'work/session/compact',
  summary: 'Brings the checkpoint of a session up to date: it stands in for all but the newest turn.',
  writes: true,
  fails: ['nothing-to-compact'],
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    compactionId: z.string(),
    summary: z.string(),
    messagesCompacted: z.int(),
    originalTokenCount: z.int(),
    compressedTokenCount: z.int(),
    retention: z.number(),
    by: Author,
    failures: z.array(z.looseObject({ by: z.string(), reason: z.string() })),
    merges: z.int(),
    unfinished: z.string().exactOptional(),
  }),
  faces: { cli: { 'work compact': 'result' } },
  async run({ sessionId }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    return plain(await work.compact(session));
  },
});
