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
