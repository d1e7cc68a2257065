import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { DocumentRecord } from '../records/document-record.ts';
import { DocumentId, missing, readDocuments } from './read-documents.ts';

export const getDocument = operation({
  name: 'chat/document/get',
  summary: 'One document.',
  fails: ['entry-not-found'],
  params: z.strictObject({ sessionId: SessionField, id: DocumentId }),
  result: z.strictObject({ document: DocumentRecord }),
  faces: { rpc: true },
  async run({ sessionId, id }, { store, find }) {
    const info = await find(sessionId);
    const document = (await readDocuments(store, info)).find((each) => each.id === id);
    if (!document) throw missing('document', info.id, id);
    return { document };
  },
});
