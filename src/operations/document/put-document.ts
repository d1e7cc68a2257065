import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { CHECKPOINT_DOCUMENT, type SessionInfo, SUMMARY_DRAFT, WORK_DOCUMENTS } from '../../record/index.ts';
import { Anything, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { DocumentRecord, toDocument } from '../records/document-record.ts';
import { plainJson } from '../records/plain-json.ts';
import { refused } from '../refused.ts';
import { appendBody, DocumentId, Meta } from './read-documents.ts';

export const putDocument = operation({
  name: 'chat/document/put',
  summary: 'Writes a document, new or in the place of the one with this id. Older versions stay in the log.',
  writes: true,
  params: z.strictObject({
    sessionId: SessionField,
    id: DocumentId.optional().describe('Made if not given.'),
    title: z.string().max(1000),
    content: Anything.refine((content) => content !== undefined && content !== null, 'is missing'),
    mediaType: z.string().max(200).optional(),
    meta: Meta,
  }),
  result: z.strictObject({ document: DocumentRecord }),
  faces: { rpc: true },
  async run(params, app) {
    const { sessionId, id = randomUUID(), title, content, mediaType, meta } = params;
    refuseOwn(await app.find(sessionId), id);
    const body = { kind: 'document', id, title, content } as const;
    const entry = await appendBody(app, sessionId, {
      ...body,
      ...(mediaType !== undefined && { mediaType }),
      ...(meta !== undefined && { meta }),
    });
    return { document: { ...toDocument(entry, entry.session)!, content: plainJson(content) } };
  },
});

/** A document of these names would be read as the state of the work, or stand in its requests. */
function refuseOwn({ id: session, state: { settings } }: SessionInfo, id: string): void {
  if (id === CHECKPOINT_DOCUMENT)
    throw refused('usage', 'No document can be called "checkpoint": see checkpoint/restore.');
  if (id === SUMMARY_DRAFT)
    throw refused('usage', 'No document can be called "summary-draft": see ai/context/draft.');
  if (settings.work !== undefined && Object.values<string>(WORK_DOCUMENTS).includes(id))
    throw refused(
      'usage',
      `In a session of work no document can be called "${id}": it is made from the project.`,
      { session, id },
    );
}
