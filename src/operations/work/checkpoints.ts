import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { Compacted, toCompacted } from '../records/compaction-record.ts';
import { plain, workToWrite, workWith } from './find-work.ts';
import { printedSession, WorkCheckpoint, WorkSessionRecord } from './work-record.ts';

export const getWorkCheckpoint = operation({
  name: 'work/checkpoint',
  summary: 'The state of the work in a session, as orchestrators store it, with the tokens that were saved.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ checkpoint: WorkCheckpoint }),
  faces: {
    help: {
      'work checkpoint':
        'Show how the work of a session stands: done, open, decided, blocked, and the tokens it saved.',
    },
    rpc: true,
    cli: { 'work checkpoint': { schema: WorkCheckpoint, of: ({ checkpoint }) => checkpoint } },
  },
  async run({ sessionId }, app) {
    const { work, session } = await workWith(app, sessionId);
    return { checkpoint: await work.checkpoint(session) };
  },
});

export const showWorkCheckpoint = operation({
  name: 'work/checkpoint/show',
  summary: 'Lets the requests of one session show the checkpoint of another, to read, or no longer.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    other: SessionField.describe('The session whose checkpoint is shown.'),
    hide: z.boolean().default(false),
  }),
  result: z.strictObject({ session: WorkSessionRecord }),
  faces: {
    help: { 'work show': 'Let the requests of one session show the checkpoint of another, to read.' },
    cli: { 'work show': printedSession },
  },
  async run({ sessionId, other, hide }, app) {
    const { work, session } = await workToWrite(app, sessionId);
    await (hide ? work.hideCheckpoint(session, other) : work.showCheckpoint(session, other));
    return plain({ session: await work.describeSession(session) });
  },
});

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
