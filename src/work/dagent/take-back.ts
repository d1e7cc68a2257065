import { z } from 'zod';
import { deriveEntryId, type NewEntry, type SessionId } from '../../record/index.ts';
import type { ImportReport } from '../../transcripts/index.ts';
import type { Desk } from '../desk.ts';
import { type DamagedFile, readJsonFile } from './layout-files.ts';

const Chat = z.looseObject({
  messages: z.array(
    z.looseObject({
      id: z.string(),
      role: z.enum(['user', 'assistant']),
      content: z.string(),
      timestamp: z.string().optional(),
    }),
  ),
});

/** Whether a session was made on this board: then a file of that name is what was written out, and not a session to import. */
export async function isOurs({ store, place }: Desk, id: SessionId): Promise<boolean> {
  const settings = (await store.session(id))?.state.settings;
  return settings?.work !== undefined && settings.work.board === place.id && settings.source === undefined;
}

/** Takes back a chat that was written out: what another program added to it meanwhile goes on in the same session. */
export async function takeBack(
  desk: Desk,
  id: SessionId,
  file: string,
  damaged: DamagedFile[],
): Promise<ImportReport | undefined> {
  const chat = await readJsonFile(file, Chat, damaged);
  if (!chat) return undefined;
  const known = await messageIds(desk, id);
  const added = chat.messages
    .filter((message) => !known.has(message.id))
    .map(({ role, content, ...rest }): NewEntry => {
      const at = Date.parse(rest.timestamp ?? '');
      return {
        id: deriveEntryId('dagent-message', id, rest.id),
        at: Number.isNaN(at) ? desk.now() : at,
        body: { kind: 'message', role, parts: [{ type: 'text', text: content }], meta: { dagent: rest } },
      };
    });
  if (added.length > 0) await (await desk.handle(id)).append(added);
  return {
    id,
    format: 'dagent',
    file,
    messages: chat.messages.length,
    toolPairs: 0,
    compactions: 0,
    branches: 0,
    unknownKept: 0,
    damage: 0,
    damageKinds: {},
    added: added.length,
  };
}

const PAGE = 500;

/** What the messages of a session are called: by us, or by the file that they came from. */
export async function messageIds({ store }: Desk, id: SessionId): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after = 0; ; ) {
    const page = await store.read(id, { after, limit: PAGE, only: 'messages' });
    for (const { id: entry, body } of page) {
      ids.add(entry);
      const own =
        body.kind === 'message' ? (body.meta?.dagent as { id?: unknown } | undefined)?.id : undefined;
      if (own !== undefined) ids.add(String(own));
    }
    if (page.length < PAGE) return ids;
    after = page.at(-1)!.seq;
  }
}
