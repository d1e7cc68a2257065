import { hash } from 'node:crypto';
import { deriveEntryId, type EntryId, isEntryId } from '../../record/index.ts';

/** Gives the records of one session of a source their entry ids: the same ones whenever it is read. */
export interface RecordIds {
  /** By its place, for records without a name. Cheap, and ids made later sort later. */
  nth(n: number): EntryId;
  /** By what the source calls it: a UUID stays what it is. */
  named(name: string): EntryId;
  /** By what it says and how often that was said before, for records that may stand anywhere. */
  worded(text: string): EntryId;
  /** Of what a reader makes besides from the same record. */
  beside(id: EntryId, what: string): EntryId;
}

export function createRecordIds(format: string, session: string): RecordIds {
  const space = hash('sha256', JSON.stringify([format, session]));
  const stem = `${space.slice(0, 8)}-${space.slice(8, 12)}-8${space.slice(12, 15)}`;
  const places = `${stem}-8${space.slice(15, 18)}-`;
  const shorts = `${stem}-9${space.slice(15, 18)}-`;
  const said = new Map<string, number>();
  return {
    nth: (n) => places + n.toString(16).padStart(12, '0'),
    named(name) {
      if (isEntryId(name)) return name;
      return /^[0-9a-f]{8}$/.test(name) ? `${shorts}0000${name}` : deriveEntryId(format, session, name);
    },
    worded(text) {
      const key = hash('sha256', text, 'base64').slice(0, 12);
      const times = said.get(key) ?? 0;
      said.set(key, times + 1);
      return deriveEntryId(format, session, 'worded', key, String(times));
    },
    beside: (id, what) => deriveEntryId(format, session, id, what),
  };
}
