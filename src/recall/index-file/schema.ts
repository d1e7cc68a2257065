/** Goes up whenever an index of an older version would answer differently: the old one is then made again. */
export const INDEX_VERSION = 1;

/** Marks the file as an index of ours ("ThrI"), so that another program's database is never dropped. */
export const APPLICATION_ID = 0x54687249;

/** Letters, digits and marks make words, so that scripts whose vowels are marks stay whole; English is stemmed. */
const TOKENIZER = `porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'`;

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

create table speakers (id integer primary key, name text not null unique);

create table docs (
  doc integer primary key,
  entry blob not null,
  at integer not null,
  role integer not null,
  speaker integer
);

create table paths (id integer primary key, path text not null unique);
create table touches (doc integer not null, path integer not null, primary key (doc, path)) without rowid;
create index touches_by_path on touches (path);

-- 'serial' tells a process what was added since it loaded the vectors. A message that waits for its vectors has none.
-- Role and time are here as well, so that loading reads one table.
create table meanings (
  serial integer primary key autoincrement,
  doc integer not null unique,
  role integer not null,
  at integer not null,
  vectors blob,
  words blob not null
);
create index meanings_waiting on meanings (doc) where vectors is null;

-- The text itself is not stored: snippets come from the log.
create virtual table words using fts5(
  text, content='', contentless_delete=1, tokenize="${TOKENIZER}"
);
insert into words (words, rank) values ('hashsize', 16777216);
`;
