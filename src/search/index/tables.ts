import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type EntryId, entryIdBytes, entryIdFromBytes, Role, type SessionId } from '../../record/index.ts';
import { docId, SEQ_BITS } from './doc-id.ts';

export interface IndexSessionRow {
  readonly key: number;
  readonly id: SessionId;
  readonly createdAt: number;
  readonly watermark: number;
}

export interface DocRow {
  readonly entry: EntryId;
  readonly at: number;
  readonly role: Role;
  readonly speaker: number | undefined;
  /** How much of it is questions, in percent. */
  readonly asks: number;
  /** The share of three kinds of facts that it has, in percent. */
  readonly facts: number;
}

/** What ranking asks of a message. */
export type DocKind = Pick<DocRow, 'role' | 'asks' | 'facts'>;

/** Where a message is in the logs, and what filters ask of it. */
export interface PlacedDoc {
  readonly session: SessionId;
  readonly entry: EntryId;
  readonly at: number;
  readonly role: Role;
}

/** Who speaks, by name. */
export interface Speaker {
  readonly name: string;
  /** By the message itself; otherwise it is the session's agent. */
  readonly noted: boolean;
}

export interface SpeakerRow extends Speaker {
  readonly id: number;
}

interface NewDoc extends DocRow {
  readonly doc: number;
}

const ROLES = Role.options;

export function roleNumber(role: Role): number {
  return ROLES.indexOf(role);
}

/** Every statement on the small tables, prepared once. The full-text table has its own. */
export function createTables(db: DatabaseSync) {
  const one = (sql: string) => {
    const statement = db.prepare(sql);
    return (...values: readonly (string | number | Uint8Array | null)[]) => statement.get(...values);
  };
  const sessionById = one('select key, id, created_at, watermark from sessions where id = ?');
  const sessionByKey = one('select key, id, created_at, watermark from sessions where key = ?');
  const addSession = one('insert into sessions (id, created_at, watermark) values (?, ?, ?) returning key');
  const advance = db.prepare('update sessions set watermark = ?, messages = messages + ? where key = ?');
  const totals = one('select count(*) as sessions, coalesce(sum(messages), 0) as messages from sessions');
  const countMessages = db.prepare(
    `update meta set value = (select coalesce(sum(messages), 0) from sessions) where name = 'messages'`,
  );
  const addDoc = db.prepare(
    'insert into docs (doc, entry, at, role, speaker, asks, facts) values (?, ?, ?, ?, ?, ?, ?)',
  );
  const docByNumber = one('select entry, at, role, speaker, asks, facts from docs where doc = ?');
  const kinds = db.prepare(
    'select doc, role, asks, facts from docs where doc in (select value from json_each(?))',
    { returnArrays: true },
  );
  const placeOfDoc = db.prepare(
    `select s.id, d.entry, d.at, d.role from docs d join sessions s on s.key = d.doc >> ${SEQ_BITS} where d.doc = ?`,
    { returnArrays: true },
  );
  const begin = db.prepare('begin');
  const commit = db.prepare('commit');
  const speakerByName = one('select id from speakers where name = ? and noted = ?');
  const addSpeaker = one('insert into speakers (name, noted) values (?, ?) returning id');
  const speakers = db.prepare('select id, name, noted from speakers');
  const pathByName = one('select id from paths where path = ?');
  const addPath = one('insert into paths (path) values (?) returning id');
  const addTouch = db.prepare('insert or ignore into touches (doc, path) values (?, ?)');
  const addDecision = db.prepare('insert into decisions (doc) values (?)');
  const decisions = db.prepare('select doc from decisions');
  const meta = one('select value from meta where name = ?');
  const setMeta = db.prepare('insert or replace into meta (name, value) values (?, ?)');

  return {
    session: (id: SessionId) => toSession(sessionById(id)),
    sessionByKey: (key: number) => toSession(sessionByKey(key)),
    sessions: () =>
      db
        .prepare('select key, id, created_at, watermark from sessions')
        .all()
        .map((row) => toSession(row)!),
    sizes: () =>
      db
        .prepare('select key, watermark, messages from sessions order by key')
        .all()
        .map((row) => row as { key: number; watermark: number; messages: number }),
    addSession: (id: SessionId, createdAt: number, watermark: number) =>
      addSession(id, createdAt, watermark)!.key as number,
    advance: (key: number, watermark: number, messages: number) => void advance.run(watermark, messages, key),
    totals: () => totals() as unknown as { sessions: number; messages: number },
    /** Kept beside the sessions, because every search asks for it. */
    messages: () => Number(meta('messages')!.value),
    countMessages: () => void countMessages.run(),
    addDoc({ doc, entry, at, role, speaker, asks, facts }: NewDoc) {
      addDoc.run(doc, entryIdBytes(entry), at, roleNumber(role), speaker ?? null, asks, facts);
    },
    doc: (doc: number) => toDoc(docByNumber(doc)),
    kindsOf(docs: readonly number[]): Map<number, DocKind> {
      const rows = kinds.all(JSON.stringify(docs)) as unknown as [number, number, number, number][];
      return new Map(rows.map(([doc, role, asks, facts]) => [doc, { role: ROLES[role]!, asks, facts }]));
    },
    place(doc: number): PlacedDoc | undefined {
      const row = placeOfDoc.get(doc) as unknown as [string, Uint8Array, number, number] | undefined;
      return row && { session: row[0], entry: entryIdFromBytes(row[1]), at: row[2], role: ROLES[row[3]]! };
    },
    /** Many reads of one state of the file, whatever other processes write. Alone, each would lock and unlock it. */
    atOneMoment<T>(look: () => T): T {
      begin.run();
      try {
        return look();
      } finally {
        if (db.isTransaction) commit.run();
      }
    },
    speakers: (): SpeakerRow[] =>
      speakers
        .all()
        .map(({ id, name, noted }) => ({ id: id as number, name: name as string, noted: noted === 1 })),
    speaker: ({ name, noted }: Speaker) =>
      (speakerByName(name, Number(noted)) ?? addSpeaker(name, Number(noted)))!.id as number,
    addTouch(doc: number, path: string) {
      addTouch.run(doc, (pathByName(path) ?? addPath(path))!.id as number);
    },
    addDecision: (doc: number) => void addDecision.run(doc),
    decisions: () => decisions.all().map(({ doc }) => doc as number),
    touching: (path: string) => docsTouching(db, path),
    generation: () => Number(meta('generation')!.value),
    setGeneration: (generation: number) => void setMeta.run('generation', String(generation)),
    removeSession: (key: number) => removeSession(db, key),
  };
}

export type IndexTables = ReturnType<typeof createTables>;

function toSession(row: ReturnType<StatementSync['get']>): IndexSessionRow | undefined {
  if (!row) return undefined;
  const { key, id, created_at, watermark } = row as Record<string, string | number>;
  return { key, id, createdAt: created_at, watermark } as IndexSessionRow;
}

function toDoc(row: ReturnType<StatementSync['get']>): DocRow | undefined {
  if (!row) return undefined;
  const { entry, at, role, speaker, asks, facts } = row as {
    entry: Uint8Array;
    at: number;
    role: number;
    speaker: number | null;
    asks: number;
    facts: number;
  };
  return {
    entry: entryIdFromBytes(entry),
    at,
    role: ROLES[role]!,
    speaker: speaker ?? undefined,
    asks,
    facts,
  };
}

/** Messages whose calls name the path: as it is, by its end, or by a folder in it. */
function docsTouching(db: DatabaseSync, path: string): number[] {
  const like = path.replace(/[\\%_]/g, '\\$&');
  return db
    .prepare(
      `select distinct doc from touches where path in (
         select id from paths where path = ?1 or path like '%/' || ?2 escape '\\'
           or path like ?2 || '/%' escape '\\' or path like '%/' || ?2 || '/%' escape '\\'
       ) order by doc`,
    )
    .all(path, like)
    .map(({ doc }) => doc as number);
}

/** The numbers that the messages of a session can have. */
export function docsOf(key: number): readonly [from: number, to: number] {
  return [docId(key, 0), docId(key + 1, 0) - 1];
}

function removeSession(db: DatabaseSync, key: number): void {
  const range = docsOf(key);
  for (const [table, number] of [
    ['words', 'rowid'],
    ['docs', 'doc'],
    ['decisions', 'doc'],
    ['touches', 'doc'],
    ['meanings', 'doc'],
  ]) {
    db.prepare(`delete from ${table} where ${number} between ? and ?`).run(...range);
  }
  db.exec('delete from paths where id not in (select path from touches)');
  db.exec('delete from speakers where id not in (select speaker from docs where speaker is not null)');
  db.prepare('delete from sessions where key = ?').run(key);
}

/** Goes up whenever an index of an older version would answer differently: the old one is then made again. */
export const INDEX_VERSION = 8;

/** Marks the file as an index of ours ("ThrI"), so that another program's database is never dropped. */
export const APPLICATION_ID = 0x54687249;

/** Letters, digits and marks make words, so that scripts whose vowels are marks stay whole; English is stemmed. */
const TOKENIZER = `porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'`;

/** Every table of the schema, each before what it refers to. */
export const TABLES = [
  'meta',
  'sessions',
  'speakers',
  'docs',
  'decisions',
  'paths',
  'touches',
  'meanings',
  'blocks',
  'words',
] as const;

export const SCHEMA = `
create table meta (name text primary key, value text not null) without rowid;

-- How far each session has been read. 'messages' counts its own, not those it shares with its parent.
create table sessions (
  key integer primary key autoincrement,
  id text not null unique,
  created_at integer not null,
  watermark integer not null,
  messages integer not null default 0
);

-- 'noted' where the message itself names who speaks; otherwise it is the session's agent.
create table speakers (id integer primary key, name text not null, noted integer not null, unique (name, noted));

create table docs (
  doc integer primary key,
  entry blob not null,
  at integer not null,
  role integer not null,
  speaker integer,
  asks integer not null,
  facts integer not null
);

create index docs_by_time on docs (at);

-- Messages that state a choice.
create table decisions (doc integer primary key);

create table paths (id integer primary key, path text not null unique);
create table touches (doc integer not null, path integer not null, primary key (doc, path)) without rowid;
create index touches_by_path on touches (path);

-- The words of a message by number, and the block that has its vectors: 0 for none, null when they have yet to be asked for.
create table meanings (doc integer primary key, block integer, words blob not null);
create index meanings_waiting on meanings (doc) where block is null;

-- Vectors in the order they came, many messages in a row: a process loads those with a larger number than it has.
create table blocks (
  block integer primary key autoincrement,
  first integer not null,
  last integer not null,
  size integer not null,
  docs blob not null,
  times blob not null,
  roles blob not null,
  lengths blob not null,
  vectors blob not null
);
create index blocks_by_size on blocks (size);

-- The text itself is not stored: snippets come from the log.
create virtual table words using fts5(
  text, content='', contentless_delete=1, tokenize="${TOKENIZER}"
);
insert into words (words, rank) values ('hashsize', 16777216);
`;
