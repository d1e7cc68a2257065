import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { appendBody, DocumentId, missing } from './read-documents.ts';

export const deleteDocument = operation({
  name: 'chat/document/delete',
  summary: 'Takes a document out of the session. Its versions stay in the log.',
  writes: true,
  params: z.strictObject({ sessionId: SessionField, id: DocumentId }),
  result: z.strictObject({ id: z.string(), deleted: z.literal(true) }),
  faces: { rpc: true },
  async run({ sessionId, id }, app) {
    const { id: session, state } = await app.find(sessionId);
    if (!Object.hasOwn(state.documents, id)) throw missing('document', session, id);
    await appendBody(app, session, { kind: 'document', id, title: '', content: null });
    return { id, deleted: true as const };
  },
});
