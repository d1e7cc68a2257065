import { z } from 'zod';
import { forkSession as fork } from '../../session/index.ts';
import { EntryIdField, SeqField, SessionField, TitleField } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  describedSession,
  SessionDescriptionRecord,
  SessionRecord,
  showSession,
} from '../records/session-record.ts';
import { asNew, NewId } from './label-fields.ts';

const ForkedAt = z.int().describe('The last entry that both share.');

export const forkSessionOperation = operation({
  name: 'chat/session/fork',
  summary:
    'A new session that shares the log up to an entry. Nothing is copied and the parent does not change.',
  writes: true,
  fails: ['session-exists', 'session-id-invalid', 'entry-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    at: z
      .union([SeqField, EntryIdField])
      .optional()
      .describe('The last entry both share, by number or id; the newest one if not given.'),
    id: z.string().min(1).max(128).optional(),
    title: TitleField.optional(),
  }),
  result: z.strictObject({ id: NewId, session: SessionRecord, forkedAt: ForkedAt }),
  faces: {
    help: {
      fork: 'Start a new session that shares another one up to an entry. Nothing is copied or changed.',
    },
    rpc: true,
    chat: ['fork'],
    cli: {
      fork: {
        schema: SessionDescriptionRecord.extend({ forkedAt: ForkedAt }),
        of: ({ session, forkedAt }) => ({ ...describedSession(session), forkedAt }),
      },
    },
  },
  async run({ sessionId, at, id, title }, app) {
    const parent = await app.find(sessionId);
    const options = {
      ...(at !== undefined && { at }),
      ...(id !== undefined && { id }),
      ...(title !== undefined && { title }),
    };
    const info = await asNew(app, id, () => fork(app.store, parent, options));
    return { id: info.id, session: await showSession(app, info), forkedAt: info.parent!.seq };
  },
});
