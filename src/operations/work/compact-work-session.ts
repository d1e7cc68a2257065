import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Compacted, toCompacted } from '../records/compaction-record.ts';
import { workToWrite } from './find-work.ts';

export const compactWorkSession = operation({
  name: 'work/session/compact',
  summary: 'Brings the checkpoint of a session up to date: it stands in for all but the newest turn.',
  writes: true,
  fails: ['nothing-to-compact'],
  params: z.strictObject({ sessionId: SessionField }),
  result: Compacted,
  faces: {
    help: {
      'work compact':
        'Bring the checkpoint of a session up to date: it stands in for all but the newest turn.',
    },
    cli: { 'work compact': 'result' },
  },
  async run({ sessionId }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    return toCompacted(await work.compact(session));
  },
});
