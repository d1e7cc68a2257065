import path from 'node:path';
import { z } from 'zod';
import { deriveEntryId, type Entry, type NewEntry, type SessionId } from '../../record/index.ts';
import type { ImportReport } from '../../transcripts/index.ts';
import type { Desk } from '../desk.ts';
import { type DamagedFile, readJsonFile } from './layout-files.ts';
import { takeCheckpoint } from './take-checkpoint.ts';

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

/** Whether a session was made on this board: then a file of that name is an export, and not a session to import. */
export async function isOurs({ store, place }: Desk, id: SessionId): Promise<boolean> {
  const settings = (await store.session(id))?.state.settings;
  return settings?.work !== undefined && settings.work.board === place.id && settings.source === undefined;
}

/** Takes back a chat that was written out, and its checkpoint: what another program added goes on in the same session. */
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
  const listed = new Set(chat.messages.map((message) => message.id));
  const checkpoint = await takeCheckpoint(desk, id, {
    file: path.join(path.dirname(file), `checkpoint_${id}.json`),
    isInChat: (entry) => namesOf(entry).some((name) => listed.has(name)),
    damaged,
  });
  const entries = [...checkpoint, ...added];
  if (entries.length > 0) await (await desk.handle(id)).append(entries);
  return {
    id,
    format: 'dagent',
    file,
    messages: chat.messages.length,
    toolPairs: 0,
    compactions: checkpoint.filter(({ body }) => body.kind === 'compaction').length,
    branches: 0,
    unknownKept: 0,
    damage: 0,
    damageKinds: {},
    added: entries.length,
  };
}

const PAGE = 500;

/** What the messages of a session are called: by us, or by the file that they came from. */
export async function messageIds({ store }: Desk, id: SessionId): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let after = 0; ; ) {
    const page = await store.read(id, { after, limit: PAGE, only: 'messages' });
    for (const name of page.flatMap(namesOf)) ids.add(name);
    if (page.length < PAGE) return ids;
    after = page.at(-1)!.seq;
  }
}

function namesOf({ id, body }: Entry): string[] {
  const own = body.kind === 'message' ? (body.meta?.dagent as { id?: unknown } | undefined)?.id : undefined;
  return own === undefined ? [id] : [id, String(own)];
}
