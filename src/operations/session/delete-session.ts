import { z } from 'zod';
import { labelSession, purgeSession } from '../../session/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';

export const deleteSession = operation({
  name: 'chat/session/delete',
  summary: 'Puts a session into the trash, whole. With `purge`, deletes one that is in the trash for good.',
  writes: true,
  fails: ['session-not-trashed', 'session-has-forks', 'lease-held'],
  params: z.strictObject({ sessionId: SessionField, purge: z.boolean().default(false) }),
  result: z.strictObject({ id: z.string(), deleted: z.literal(true), purged: z.boolean() }),
  faces: { rpc: true },
  async run({ sessionId, purge }, { store, sessions, find, forget }) {
    const info = await find(sessionId);
    const { id } = info;
    await sessions.letGo(id);
    if (!purge) {
      await labelSession(store, info, { place: 'trashed' });
      return { id, deleted: true as const, purged: false };
    }
    await purgeSession(store, info);
    forget(id);
    const { forgetInIndexes } = await import('../../recall/index.ts');
    await forgetInIndexes(store, [id]);
    return { id, deleted: true as const, purged: true };
  },
});
