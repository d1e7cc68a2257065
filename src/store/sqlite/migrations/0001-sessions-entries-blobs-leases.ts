/**
 * `entries.position` is `sessions.key << 32 | seq`: a session's entries lie side by side in the table itself, in order, without
 * a second index. Beside each entry stands what the log adds up to there: `messages`, `queries` and `total` along the lineage,
 * `updated_at` and `input` to `cost` for the session alone. So an append writes the entry and its id and nothing else: the row
 * of the `hot` session, the one last written to, may lag behind its log. The body comes last, because reading a column behind
 * it means reading through it.
 */
export const sessionsEntriesBlobsLeases = `
create table sessions (
  key integer primary key autoincrement,
  id text not null unique,
  parent text,
  relation text check (relation in ('fork', 'resume')),
  parent_seq integer,
  created_at integer not null,
  updated_at integer not null,
  head integer not null,
  messages integer not null,
  queries integer not null,
  tokens integer not null,
  place text not null,
  name text,
  project text,
  agent text,
  usage text not null,
  state text not null
) strict;
create index sessions_by_update on sessions (place, updated_at, key, project, agent);
create index sessions_by_name on sessions (name) where name is not null;
create index sessions_by_parent on sessions (parent) where parent is not null;

create table entries (
  position integer primary key,
  id blob not null,
  at integer not null,
  kind text not null,
  tokens integer not null,
  version integer not null,
  crc integer not null,
  updated_at integer not null,
  messages integer not null,
  queries integer not null,
  total integer not null,
  input real not null,
  output real not null,
  reasoning real,
  cache_read real,
  cache_write real,
  cost real,
  body text not null
) strict;
create unique index entries_by_id on entries (id, position >> 32);
create index entries_notes on entries (position) where kind <> 'message';

create table tags (
  tag text not null,
  session integer not null,
  primary key (tag, session)
) strict, without rowid;
create index tags_by_session on tags (session);

create table blobs (
  key integer primary key,
  hash blob not null unique,
  bytes blob not null
) strict;

create table blob_uses (
  session integer not null,
  hash blob not null,
  primary key (session, hash)
) strict, without rowid;
create index blob_uses_by_hash on blob_uses (hash);

create table hot (session integer not null) strict;

create table leases (
  session integer primary key,
  token text not null,
  owner text not null,
  expires_at integer not null
) strict;
`;
