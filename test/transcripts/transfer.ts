import type { Entry, SessionInfo } from '../../src/record/index.ts';
import { createMemoryStore, type Store } from '../../src/store/index.ts';
import { hashLog } from '../../src/transcripts/export/hash-log.ts';
import { outgoing, readFamily } from '../../src/transcripts/export/read-family.ts';
import { importFound } from '../../src/transcripts/import/import-found.ts';
import type { ImportReport } from '../../src/transcripts/import/report.ts';
import { textSource } from '../../src/transcripts/source/open-source.ts';
import type { Reader, TranscriptOptions, Writer } from '../../src/transcripts/transcript.ts';

/** Reads a text into a store. */
export function importText(
  store: Store,
  reader: Reader,
  text: string | Uint8Array,
  { format = 'test', beside = {} as Readonly<Record<string, string>>, name = 'text' } = {},
): Promise<ImportReport[]> {
  const source = textSource(text, { changedAt: 1_700_000_000_000, beside, name });
  return importFound(store, reader(source), { format, file: name, changedAt: source.changedAt });
}

/** What a session is written as, file by file. */
export async function exportFiles(
  store: Store,
  id: string,
  writer: Writer,
  { alone = false, ...options }: TranscriptOptions & { alone?: boolean } = {},
): Promise<Map<string, string>> {
  const info = (await store.session(id))!;
  const files = new Map<string, string>();
  for await (const { file, text } of writer(await readFamily(store, info, { alone }), options)) {
    files.set(file, (files.get(file) ?? '') + text);
  }
  return files;
}

export async function exportText(store: Store, id: string, writer: Writer, options = {}): Promise<string> {
  const [first] = (await exportFiles(store, id, writer, options)).values();
  return first ?? '';
}

/** Every session of a store by the hash of its log. */
export async function hashes(store: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const info of await sessionsOf(store)) found[info.id] = await hashLog(outgoing(store, info));
  return found;
}

export async function sessionsOf(store: Store): Promise<SessionInfo[]> {
  const { sessions } = await store.list({ limit: 1000 });
  return [...sessions].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Import, export, import into an empty store: what differs, which should be nothing. */
export async function roundTrip(
  { reader, writer, format }: { reader: Reader; writer: Writer; format: string },
  text: string,
): Promise<{ first: Record<string, string>; second: Record<string, string>; text: string }> {
  const store = createMemoryStore();
  const reports = await importText(store, reader, text, { format });
  const again = createMemoryStore();
  let written = '';
  for (const { id } of reports) {
    const part = await exportText(store, id, writer);
    written += part;
    await importText(again, reader, part, { format });
  }
  return { first: await hashes(store), second: await hashes(again), text: written };
}

export async function logOfSession(store: Store, id: string): Promise<Entry[]> {
  return store.read(id, {});
}
