import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { DocumentRecord } from '../records/document-record.ts';
import { readDocuments } from './read-documents.ts';

export const listDocuments = operation({
  name: 'chat/document/list',
  summary: 'The documents of a session as they are now.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({ documents: z.array(DocumentRecord) }),
  faces: { rpc: true },
  async run({ sessionId }, { store, find }) {
    return {
      documents: await readDocuments(store, await find(sessionId)),
    };
  },
});
