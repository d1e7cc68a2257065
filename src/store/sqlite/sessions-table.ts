import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  EMPTY_STATE,
  NO_USAGE,
  type Parent,
  packState,
  type SessionId,
  type SessionInfo,
  type StoredPlace,
  storedPlaceOf,
  titleOf,
  unpackState,
} from '../../record/index.ts';
import { matchName } from '../match-name.ts';
import type { Lease, SessionQuery } from '../store.ts';
import type { Tally } from '../tally.ts';
import type { Sums } from './entries-table.ts';
import { type LazyStatement, lazyStatement } from './writer.ts';

/** A session's row: what callers see, and the key that its entries are filed under. */
export interface SessionRow extends SessionInfo {
  readonly key: number;
  /** What the row says the log adds up to cannot be read. The log is whole; a rebuild writes it again. */
  readonly damaged?: true;
}

/** A place in the list, newest first. */
export interface ListPlace {
  readonly updatedAt: number;
  readonly key: number;
}

const COLUMNS =
  'key, id, parent, relation, parent_seq, created_at, updated_at, head, messages, queries, tokens, usage, state';
const SUMS = 'updated_at = ?, head = ?, messages = ?, queries = ?, tokens = ?, usage = ?';
/** These repeat what the state says, so that lists and look-ups have an index. */
const DERIVED = 'place = ?, name = ?, project = ?, agent = ?, state = ?';

export function sessionsTable(db: DatabaseSync) {
  const insert = lazyStatement(
    db,
    `insert into sessions (id, parent, relation, parent_seq, created_at, updated_at, head, messages, queries, tokens, usage, place, name, project, agent, state)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (id) do nothing`,
  );
  const byId = lazyStatement(db, `select ${COLUMNS} from sessions where id = ?`);
  const byKey = lazyStatement(db, `select ${COLUMNS} from sessions where key = ?`);
  const idFrom = lazyStatement(db, 'select id from sessions where id >= ? order by id limit 1');
  const idUpTo = lazyStatement(db, 'select id from sessions where id <= ? order by id desc limit 1');
  const byPrefixOrName = lazyStatement(
    db,
    `select * from (select ${COLUMNS} from sessions where id >= ?1 and id < ?1 || char(1114111)
       union select ${COLUMNS} from sessions where name = ?2)
     order by key = ?3 desc, updated_at desc, key desc limit +?4`,
  );
  const uuidsByPrefix = lazyStatement(
    db,
    `select ${COLUMNS} from sessions where id >= ?1 and id < ?1 || char(1114111) and id like '________-____-____-____-____________'
     order by key = ?2 desc, updated_at desc, key desc limit +?3`,
  );
  const afterKey = lazyStatement(db, `select ${COLUMNS} from sessions where key > ? order by key limit +?`);
  const countByPlace = lazyStatement(db, 'select place, count(*) as sessions from sessions group by place');
  const setSums = lazyStatement(db, `update sessions set ${SUMS} where key = ?`);
  const setTally = lazyStatement(db, `update sessions set ${SUMS}, ${DERIVED} where key = ?`);
  const forks = lazyStatement(
    db,
    `select id from sessions where parent = ? and relation = 'fork' order by key`,
  );
  const remove = lazyStatement(db, 'delete from sessions where key = ?');

  // One for each combination of filters that was asked for.
  const selects = new Map<string, LazyStatement>();

  function select(where: string, values: SQLInputValue[]): SessionRow[] {
    const statement =
      selects.get(where) ?? lazyStatement(db, `select ${COLUMNS} from sessions where ${where}`);
    selects.set(where, statement);
    return statement.all(...values).map((row) => toRow(row)!);
  }

  return {
    /** The key of the new row; `undefined` if there is a session with this id already. */
    insert(session: { id: SessionId; parent: Parent | undefined; createdAt: number }, tally: Tally) {
      const { id, parent, createdAt } = session;
      const row = [id, parent?.session ?? null, parent?.relation ?? null, parent?.seq ?? null, createdAt];
      const { changes, lastInsertRowid } = insert.run(...row, ...sums(tally), ...derived(tally));
      return changes === 0 ? undefined : Number(lastInsertRowid);
    },
    /** By its very letters. `findRow` knows a UUID in every spelling. */
    byId: (id: SessionId) => toRow(byId.get(id)),
    byKey: (key: number) => toRow(byKey.get(key)),
    /** The first id, in order, that is not before this text, and the last one that is not behind it. */
    idFrom: (text: string) => idFrom.get(text)?.id as SessionId | undefined,
    idUpTo: (text: string) => idUpTo.get(text)?.id as SessionId | undefined,
    /** Newest first as the rows have it, but before them one whose row may be old. */
    find: (text: string, { limit, first }: { limit: number; first: number }) =>
      byPrefixOrName.all(text, matchName(text) || null, first, limit).map((row) => toRow(row)!),
    /** The same for UUIDs alone, by how they start. */
    findUuids: (start: string, { limit, first }: { limit: number; first: number }) =>
      uuidsByPrefix.all(start, first, limit).map((row) => toRow(row)!),
    /** Pages through all sessions, parents before the forks made from them. */
    after: (key: number, limit: number) => afterKey.all(key, limit).map((row) => toRow(row)!),
    /** A page of the list as the rows have it, without one whose row may be old. */
    list(query: SessionQuery, { before, without }: { before: ListPlace | undefined; without: number }) {
      const { where, values } = filter(query);
      const page = before ? ' and (updated_at, key) < (?, ?)' : '';
      const place = before ? [before.updatedAt, before.key] : [];
      const order = ' and key <> ? order by updated_at desc, key desc limit +?';
      return select(where + page + order, [...values, ...place, without, query.limit]);
    },
    /** The session with this key, if the query is after a key. */
    matching(query: SessionQuery, key: number): SessionRow | undefined {
      const { where, values } = filter(query);
      return select(`${where} and key = ?`, [...values, key])[0];
    },
    count(): Record<StoredPlace, number> {
      const counts: Record<StoredPlace, number> = { active: 0, archived: 0, trashed: 0, memory: 0 };
      for (const row of countByPlace.all()) counts[row.place as StoredPlace] = row.sessions as number;
      return counts;
    },
    setSums: (key: number, tally: Sums) => setSums.run(...sums(tally), key),
    setTally: (key: number, tally: Tally) => setTally.run(...sums(tally), ...derived(tally), key),
    forks: (id: SessionId) => forks.all(id).map((row) => row.id as SessionId),
    remove: (key: number) => remove.run(key),
  };
}

export type SessionsTable = ReturnType<typeof sessionsTable>;

function filter({ place, project, tag, agent, parent }: SessionQuery): {
  where: string;
  values: SQLInputValue[];
} {
  const tests: [string, string | undefined][] = [
    ['parent = ?', parent],
    ['place = ?', place ?? (parent === undefined ? 'active' : undefined)],
    ['project = ?', project?.toWellFormed()],
    ['agent = ?', agent?.toWellFormed()],
    ['key in (select session from tags where tag = ?)', tag?.toWellFormed()],
  ];
  const asked = tests.filter(([, value]) => value !== undefined);
  return { where: asked.map(([test]) => test).join(' and '), values: asked.map(([, value]) => value!) };
}

function sums({ updatedAt, head, totals, usage }: Sums): SQLInputValue[] {
  return [updatedAt, head, totals.messages, totals.queries, totals.tokens, JSON.stringify(usage)];
}

function derived({ state }: Tally): SQLInputValue[] {
  const { project, agent } = state.settings;
  const name = matchName(titleOf(state)) || null;
  return [
    storedPlaceOf(state),
    name,
    project?.toWellFormed() ?? null,
    agent?.toWellFormed() ?? null,
    JSON.stringify(packState(state)),
  ];
}

function toRow(row: Record<string, unknown> | undefined): SessionRow | undefined {
  if (!row) return undefined;
  const parent = row.parent as SessionId | null;
  return {
    key: row.key as number,
    id: row.id as SessionId,
    ...(parent && {
      parent: {
        session: parent,
        relation: row.relation as Parent['relation'],
        seq: row.parent_seq as number,
      },
    }),
    createdAt: row.created_at as number,
    updatedAt: row.updated_at as number,
    head: row.head as number,
    totals: {
      messages: row.messages as number,
      queries: row.queries as number,
      tokens: row.tokens as number,
    },
    ...readDerived(row),
  };
}

function readDerived(row: Record<string, unknown>): Pick<SessionRow, 'usage' | 'state' | 'damaged'> {
  try {
    return { usage: JSON.parse(row.usage as string), state: unpackState(JSON.parse(row.state as string)) };
  } catch {
    return { usage: NO_USAGE, state: EMPTY_STATE, damaged: true };
  }
}

/** Everything an append has to know about the session before it writes. */
export interface KnownRow {
  readonly row: SessionRow;
  readonly lease: Lease | undefined;
  readonly hot: boolean;
}

const MOST = 1000;

/**
 * What this connection knows of the sessions it writes to. Good for as long as no other connection has committed and nothing of
 * this one was undone, which SQLite reports by a number; so it is asked first in every transaction.
 */
export function createRowCache(db: DatabaseSync) {
  const dataVersion = db.prepare('pragma data_version', { returnArrays: true });
  const rows = new Map<SessionId, KnownRow>();
  let seen: unknown;

  return {
    /** Call first in every transaction. */
    check(): void {
      const [version] = dataVersion.get() as unknown as [number];
      if (version !== seen) rows.clear();
      seen = version;
    },
    /** Another number whenever another connection has committed. */
    version: () => seen,
    get: (id: SessionId) => rows.get(id),
    set(id: SessionId, known: KnownRow): void {
      if (rows.size >= MOST) rows.clear();
      rows.set(id, known);
    },
    clear: () => rows.clear(),
  };
}

export type RowCache = ReturnType<typeof createRowCache>;

/** Row keys never leave the backend. */
export function withoutKey<T extends SessionInfo & { key: number; damaged?: true }>({
  key: _,
  damaged: __,
  ...info
}: T): SessionInfo {
  return info as SessionInfo;
}
