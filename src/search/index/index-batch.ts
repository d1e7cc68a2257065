import type { DatabaseSync } from 'node:sqlite';
import type { EntryId, Role, Seq, SessionId } from '../../record/index.ts';
import type { Meaning } from '../meaning/embed-message.ts';
import type { BlocksTable } from './blocks-table.ts';
import { docId } from './doc-id.ts';
import { type IndexTables, roleNumber, type Speaker } from './tables.ts';

/** A message, ready to be written into the index. */
interface Prepared {
  readonly seq: Seq;
  readonly entry: EntryId;
  readonly at: number;
  readonly role: Role;
  readonly speaker: Speaker | undefined;
  /** As the full-text index takes it. */
  readonly text: string;
  readonly files: readonly string[];
  /** It states a choice. */
  readonly decides: boolean;
  /** How much of it is questions, in percent. */
  readonly asks: number;
  /** The share of three kinds of facts that it has, in percent. */
  readonly facts: number;
  /** Absent when there is no sense of meaning; without `vectors` when a provider has to be asked for them. */
  readonly meaning?: Meaning;
}

/** A stretch of one session: what lies after `after`, up to and including `upTo`. */
export interface Page {
  readonly session: SessionId;
  readonly createdAt: number;
  readonly after: Seq;
  readonly upTo: Seq;
  readonly docs: readonly Prepared[];
}

/** A message and its number. */
interface Placed {
  readonly doc: number;
  readonly of: Prepared;
}

/** Writes pages into the index. Call it inside a transaction; returns how many messages were new. */
export function createBatchWriter(db: DatabaseSync, tables: IndexTables, blocks: BlocksTable) {
  const addWords = db.prepare('insert into words (rowid, text) values (?, ?)');
  const addMeaning = db.prepare('insert into meanings (doc, block, words) values (?, ?, ?)');

  function addDoc(doc: number, { entry, at, role, speaker, files, decides, asks, facts }: Prepared): void {
    tables.addDoc({
      doc,
      entry,
      at,
      role,
      speaker: speaker === undefined ? undefined : tables.speaker(speaker),
      asks,
      facts,
    });
    for (const file of files) tables.addTouch(doc, file);
    if (decides) tables.addDecision(doc);
  }

  /** All vectors of the batch lie together; each message notes where. */
  function addMeanings(docs: readonly Placed[]): void {
    const dimensions = docs.find(({ of }) => of.meaning?.dimensions)?.of.meaning?.dimensions ?? 0;
    const vectored = docs.map(({ doc, of: { at, role, meaning } }) => ({
      doc,
      at,
      role: roleNumber(role),
      vectors: meaning?.vectors ?? NO_VECTORS,
    }));
    const block = blocks.add(vectored, dimensions) ?? 0;
    for (const { doc, of } of docs) {
      const { vectors, words } = of.meaning ?? {};
      if (words) addMeaning.run(doc, vectors ? (vectors.length > 0 ? block : 0) : null, bytesOf(words));
    }
  }

  return function writeBatch(pages: readonly Page[]): number {
    const placed = pages.map((page) => {
      const row = tables.session(page.session);
      return { page, key: row?.key ?? tables.addSession(page.session, page.createdAt, page.after) };
    });
    // Rising numbers let the full-text index keep what it gathers in memory instead of writing it out at each step back.
    placed.sort((a, b) => a.key - b.key || a.page.after - b.page.after);
    const docs: Placed[] = [];
    for (const { page, key } of placed) {
      // Another process has read this stretch, or the session was forgotten: it is not written twice.
      if (tables.sessionByKey(key)?.watermark !== page.after) continue;
      for (const of of page.docs) docs.push({ doc: docId(key, of.seq), of });
      tables.advance(key, page.upTo, page.docs.length);
    }
    for (const { doc, of } of docs) addDoc(doc, of);
    addMeanings(docs);
    if (blocks.tidy()) tables.setGeneration(tables.generation() + 1);
    if (docs.length > 0) tables.countMessages();
    // Words last and in one go: any other statement in between may make the full-text index write out what it has.
    for (const { doc, of } of docs) addWords.run(doc, of.text);
    return docs.length;
  };
}

const NO_VECTORS = new Uint8Array(0);

function bytesOf(words: Uint16Array): Uint8Array {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}
