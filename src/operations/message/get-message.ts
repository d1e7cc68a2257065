import { z } from 'zod';
import type { Message } from '../../record/index.ts';
import { wholeBody } from '../../store/index.ts';
import { EntryIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';
import { MessageRecord, toMessage } from '../records/message-record.ts';
import { plainJson } from '../records/plain-json.ts';
import { findMessage } from './find-message.ts';

export const getMessage = operation({
  name: 'chat/message/get',
  summary: 'One message, with every large value in place.',
  fails: ['entry-not-found'],
  params: z.strictObject({ sessionId: SessionField, id: EntryIdField }),
  result: z.strictObject({ message: MessageRecord }),
  faces: { rpc: true },
  async run({ sessionId, id }, { store, find }) {
    const info = await find(sessionId);
    const entry = await findMessage(store, info, id);
    const body = await wholeBody(entry.body, (hash) => store.blob(hash));
    const whole = plainJson(body) as Message;
    return { message: toMessage({ ...entry, body: whole }, info, await readCompactionTree(store, info)) };
  },
});
