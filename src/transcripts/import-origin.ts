import { deriveEntryId, type EntryId, type Json, type Origin, type SessionInfo } from '../record/index.ts';
import type { OutgoingEntry } from './transcript.ts';

/** The same for every copy of the source, so that a session is born the same everywhere. */
export function importOriginId({ format, session }: Origin, name: string, value: Json): EntryId {
  return deriveEntryId(format, session, 'born', name, name === 'tag' ? String(value) : '');
}

/** Where a session came from, if it came from a file of this format. */
export function originOf({ state }: SessionInfo, format: string): Origin | undefined {
  const { source } = state.settings;
  return source?.format === format ? { format, session: source.session } : undefined;
}

/** Whether an entry was made when the session was imported, and stands in no line of the file. */
export function isImportOrigin({ id, body }: OutgoingEntry, origin: Origin | undefined): boolean {
  return (
    origin !== undefined &&
    body.kind === 'setting' &&
    id === importOriginId(origin, body.name, body.value as Json)
  );
}
