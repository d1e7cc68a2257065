import type { DatabaseSync } from 'node:sqlite';
import {
  type Entry,
  type EntryId,
  entryIdBytes,
  entryIdFromBytes,
  type SessionId,
  type Usage,
} from '../../record/index.ts';
import { decodeBody, type EncodedEntry } from '../entry-format.ts';
import type { Tally } from '../tally.ts';
import { lazyRows, lazyStatement } from './writer.ts';

/** A range of one session's entries, `after` excluded. */
interface KeyRange {
  readonly key: number;
  readonly after: number;
  readonly upTo: number;
}

interface ReadEntries extends KeyRange {
  /** -1 for all. */
  readonly limit: number;
  readonly newestFirst: boolean;
  readonly only: 'all' | 'messages' | 'notes';
}

/** What stands beside an entry: the tally after it, without the state. */
export type Sums = Omit<Tally, 'state'>;

/** A row as it is stored; `COLUMNS` in their order. */
export type EntryRow = readonly [
  seq: number,
  id: Uint8Array,
  at: number,
  tokens: number,
  version: number,
  crc: number,
  body: string,
];

const COLUMNS = 'position & 4294967295 as seq, id, at, tokens, version, crc, body';
const SUMS = 'updated_at, messages, queries, total, input, output, reasoning, cache_read, cache_write, cost';
const IN_RANGE = 'position > ((?1 << 32) | ?2) and position <= ((?1 << 32) | ?3)';
const ONLY = { all: '', messages: `and kind = 'message'`, notes: `and kind <> 'message'` } as const;

export function entriesTable(db: DatabaseSync) {
  // The body comes as the bytes that its checksum was made of; a cast makes them the text that they are, for nothing.
  const insert = db.prepare(
    `insert into entries (position, id, at, kind, tokens, version, crc, body, ${SUMS})
     values ((?1 << 32) | ?2, ?3, ?4, ?5, ?6, ?7, ?8, cast(?9 as text), ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)`,
  );
  // The plus keeps SQLite from compiling the statement again for every limit it is given, which took longer than the read.
  const select = (only: keyof typeof ONLY, order: 'asc' | 'desc') =>
    lazyRows<EntryRow>(
      db,
      `select ${COLUMNS} from entries where ${IN_RANGE} ${ONLY[only]} order by position ${order} limit +?4`,
    );
  const reads = {
    all: { asc: select('all', 'asc'), desc: select('all', 'desc') },
    messages: { asc: select('messages', 'asc'), desc: select('messages', 'desc') },
    notes: { asc: select('notes', 'asc'), desc: select('notes', 'desc') },
  };
  const byId = lazyRows<EntryRow>(
    db,
    `select ${COLUMNS} from entries where id = ?2 and position >> 32 = ?1 and position <= ((?1 << 32) | ?3)`,
  );
  const own = lazyRows<EntryRow>(
    db,
    `select ${COLUMNS} from entries where id = ?2 and position >> 32 = (select key from sessions where id = ?1)`,
  );
  const sumsAt = lazyStatement(
    db,
    `select position & 4294967295 as seq, ${SUMS} from entries where position = ((?1 << 32) | ?2)`,
  );
  const sumsAtEnd = lazyStatement(
    db,
    `select position & 4294967295 as seq, ${SUMS} from entries
     where position > (?1 << 32) and position <= ((?1 << 32) | 4294967295) order by position desc limit 1`,
  );
  const setSums = lazyStatement(
    db,
    `update entries set (${SUMS}) = (?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) where position = ((?1 << 32) | ?2)`,
  );
  const rewrite = lazyStatement(
    db,
    `update entries set (kind, tokens, version, crc, body) = (?3, ?4, ?5, ?6, ?7) where position = ((?1 << 32) | ?2)`,
  );
  const size = lazyStatement(
    db,
    `select coalesce(sum(length(body)), 0) as bytes from entries where ${IN_RANGE}`,
  );
  const count = lazyStatement(db, 'select count(*) as entries from entries');
  const remove = lazyStatement(db, `delete from entries where ${IN_RANGE}`);

  const decoded = createDecodedRows();
  const rowById = ({ key, upTo }: Omit<KeyRange, 'after'>, id: EntryId) =>
    byId.get(key, entryIdBytes(id), upTo);

  return {
    insert(key: number, { id, at, kind, tokens, version, crc, bytes }: EncodedEntry, sums: Sums): void {
      const [updatedAt, messages, queries, total, input, output, reasoning, read, write, cost] =
        sumValues(sums);
      // Named one by one: spread arguments take the slow way into the database.
      // biome-ignore format: one line for each group of columns
      insert.run(
        key, sums.head, entryIdBytes(id), at, kind, tokens, version, crc, bytes,
        updatedAt, messages, queries, total, input, output, reasoning, read, write, cost,
      );
    },
    /** The session id is only for the message of an error. Pages of a sweep are read once, and are not remembered. */
    read(session: SessionId, { key, after, upTo, limit, newestFirst, only }: ReadEntries): Entry[] {
      const statement = reads[only][newestFirst ? 'desc' : 'asc'];
      const decode = limit === -1 ? decoded.entryOf : toEntry;
      return statement.all(key, after, upTo, limit).map((row) => decode(session, row));
    },
    /** The same rows without looking inside, for sweeps that must go on past a damaged one. */
    rows: ({ key, after, upTo }: KeyRange, limit: number) => reads.all.asc.all(key, after, upTo, limit),
    byId(session: SessionId, range: Omit<KeyRange, 'after'>, id: EntryId): Entry | undefined {
      const row = rowById(range, id);
      return row && toEntry(session, row);
    },
    rowById,
    /** An entry of the session itself, not one that it shares. */
    own(session: SessionId, id: EntryId): Entry | undefined {
      const row = own.get(session, entryIdBytes(id));
      return row && toEntry(session, row);
    },
    sumsAt: (key: number, seq: number) => toSums(sumsAt.get(key, seq)),
    /** What a session's whole log adds up to; `undefined` if it has only shared entries. */
    sumsAtEnd: (key: number) => toSums(sumsAtEnd.get(key)),
    /** For secrets that were found later. */
    rewrite: (key: number, seq: number, { kind, tokens, version, crc, json }: EncodedEntry) =>
      rewrite.run(key, seq, kind, tokens, version, crc, json),
    /** Sums are derived, and short of a rewrite the only columns of an entry that are ever written again. */
    setSums: (key: number, sums: Sums) => setSums.run(key, sums.head, ...sumValues(sums)),
    size: ({ key, after, upTo }: KeyRange) => size.get(key, after, upTo)!.bytes as number,
    count: () => count.get()!.entries as number,
    remove: ({ key, after, upTo }: KeyRange) => Number(remove.run(key, after, upTo).changes),
  };
}

export type EntriesTable = ReturnType<typeof entriesTable>;

export function toEntry(session: SessionId, [seq, idBytes, at, tokens, version, crc, json]: EntryRow): Entry {
  const id = entryIdFromBytes(idBytes);
  return { id, seq, at, tokens, body: decodeBody(session, { id, seq, at, version, json, crc }) };
}

function sumValues({ updatedAt, totals, usage }: Sums) {
  return [
    updatedAt,
    totals.messages,
    totals.queries,
    totals.tokens,
    usage.inputTokens,
    usage.outputTokens,
    usage.reasoningTokens ?? null,
    usage.cacheReadTokens ?? null,
    usage.cacheWriteTokens ?? null,
    usage.cost ?? null,
  ] as const;
}

function toSums(row: Record<string, unknown> | undefined): Sums | undefined {
  if (!row) return undefined;
  const usage: Usage = { inputTokens: row.input as number, outputTokens: row.output as number };
  if (row.reasoning !== null) usage.reasoningTokens = row.reasoning as number;
  if (row.cache_read !== null) usage.cacheReadTokens = row.cache_read as number;
  if (row.cache_write !== null) usage.cacheWriteTokens = row.cache_write as number;
  if (row.cost !== null) usage.cost = row.cost as number;
  const totals = {
    messages: row.messages as number,
    queries: row.queries as number,
    tokens: row.total as number,
  };
  return { head: row.seq as number, updatedAt: row.updated_at as number, totals, usage };
}

/** About the context of the largest windows, in characters of JSON. */
const MOST = 4 * 1024 * 1024;

interface Decoded {
  readonly row: EntryRow;
  readonly entry: Entry;
}

/**
 * Entries of rows that were read lately. A context is built from nearly the same rows turn after turn, and checking and parsing
 * them costs more than reading them; facts about an entry's parts (tokens, checksums) are kept with the object, too. The rows
 * are read all the same, and an entry is given again only for the very same bytes. It is given to several readers, so it is
 * frozen.
 */
function createDecodedRows() {
  const known = new Map<EntryId, Decoded>();
  let size = 0;

  function keep(entry: Entry, row: EntryRow): void {
    const length = row[6].length;
    if (length > MOST / 4) return;
    known.set(entry.id, { row, entry: freeze(entry) });
    size += length;
    for (const [id, oldest] of known) {
      if (size <= MOST) return;
      known.delete(id);
      size -= oldest.row[6].length;
    }
  }

  return {
    entryOf(session: SessionId, row: EntryRow): Entry {
      const id = entryIdFromBytes(row[1]);
      const found = known.get(id);
      if (found && isSame(found.row, row)) return found.entry;
      if (found) {
        known.delete(id);
        size -= found.row[6].length;
      }
      const entry = toEntry(session, row);
      keep(entry, row);
      return entry;
    },
  };
}

function isSame(a: EntryRow, b: EntryRow): boolean {
  // The id is the same already. The text is compared last: it is the longest.
  return a[0] === b[0] && a[2] === b[2] && a[3] === b[3] && a[4] === b[4] && a[5] === b[5] && a[6] === b[6];
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
