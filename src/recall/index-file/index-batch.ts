import type { DatabaseSync } from 'node:sqlite';
import type { EntryId, Role, Seq, SessionId } from '../../record/index.ts';
import { docId } from './doc-id.ts';
import { roleNumber, type Tables } from './tables.ts';

/** A message, ready to be written into the index. */
export interface Prepared {
  readonly seq: Seq;
  readonly entry: EntryId;
  readonly at: number;
  readonly role: Role;
  readonly speaker: string | undefined;
  /** As the full-text index takes it. */
  readonly text: string;
  readonly files: readonly string[];
  /** Absent when there is no sense of meaning; without `vectors` when it failed. */
  readonly meaning?: { readonly vectors?: Uint8Array; readonly words: Uint16Array };
}

/** A stretch of one session: what lies after `after`, up to and including `upTo`. */
export interface Page {
  readonly session: SessionId;
  readonly createdAt: number;
  readonly after: Seq;
  readonly upTo: Seq;
  readonly docs: readonly Prepared[];
}

/** Writes pages into the index. Call it inside a transaction; returns how many messages were new. */
export function createBatchWriter(db: DatabaseSync, tables: Tables) {
  const addWords = db.prepare('insert into words (rowid, text) values (?, ?)');
  const addMeaning = db.prepare(
    'insert into meanings (doc, role, at, vectors, words) values (?, ?, ?, ?, ?)',
  );

  function addDoc(doc: number, { entry, at, role, speaker, text, files, meaning }: Prepared): void {
    tables.addDoc({
      doc,
      entry,
      at,
      role,
      speaker: speaker === undefined ? undefined : tables.speaker(speaker),
    });
    addWords.run(doc, text);
    for (const file of files) tables.addTouch(doc, file);
    if (meaning) addMeaning.run(doc, roleNumber(role), at, meaning.vectors ?? null, bytesOf(meaning.words));
  }

  return function writeBatch(pages: readonly Page[]): number {
    const placed = pages.map((page) => {
      const row = tables.session(page.session);
      return { page, key: row?.key ?? tables.addSession(page.session, page.createdAt, page.after) };
    });
    // Rising numbers let the full-text index keep what it gathers in memory instead of writing it out at each step back.
    placed.sort((a, b) => a.key - b.key || a.page.after - b.page.after);
    let written = 0;
    for (const { page, key } of placed) {
      // Another process has read this stretch meanwhile, or the session was forgotten: it is not written twice.
      if (tables.sessionByKey(key)?.watermark !== page.after) continue;
      for (const doc of page.docs) addDoc(docId(key, doc.seq), doc);
      tables.advance(key, page.upTo, page.docs.length);
      written += page.docs.length;
    }
    if (written > 0) tables.countMessages();
    return written;
  };
}

function bytesOf(words: Uint16Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
