import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createSession, forkSession, type Store } from '../src/index.ts';
import { openSqliteStore } from '../src/store/sqlite/index.ts';
import { user } from '../src/testing/index.ts';
import { alternate, format, type Row, ratioRow } from './measure.ts';
import { messageAt } from './messages.ts';

const FORKS = 500;

/** The newest fifty of many sessions, and a fork deep in a long one. */
export async function benchListAndFork(): Promise<Row[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-bench-'));
  try {
    return [...(await list(folder, 1_000)), ...(await list(folder, 100_000)), ...(await fork(folder))];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function list(folder: string, count: number): Promise<Row[]> {
  const file = path.join(folder, `list-${count}.db`);
  await using store = await openSqliteStore(file, { durability: 'normal' });
  await createMany(store, count);
  // The raw limit reads the same rows of the same file by the same index, and parses what is JSON in them.
  const db = new DatabaseSync(file, { readOnly: true });
  const newest = db.prepare(
    `select key, id, parent, relation, parent_seq, created_at, updated_at, head, messages, queries, tokens, usage, state
     from sessions where place = 'active' order by updated_at desc, key desc limit 50`,
  );
  const figures = await alternate(
    {
      raw: () => newest.all().map((row) => JSON.parse(row.state as string)),
      ours: () => store.list({ limit: 50 }),
    },
    1_000,
  );
  db.close();
  return [ratioRow(`newest 50 of ${count.toLocaleString('en')} sessions, warm`, { ...figures, most: 3 })];
}

async function createMany(store: Store, count: number): Promise<void> {
  for (let n = 0; n < count; n++)
    await store.create({ id: `session-${n}` }, [{ body: user(`question ${n}`) }]);
}

async function fork(folder: string): Promise<Row[]> {
  const file = path.join(folder, 'fork.db');
  await using store = await openSqliteStore(file, { durability: 'normal' });
  await using session = await createSession(store, { id: 'trunk' });
  for (let i = 0; i < 10_000; i += 500)
    await session.append(Array.from({ length: 500 }, (_, n) => messageAt(i + n)));
  const raw = new DatabaseSync(path.join(folder, 'raw-fork.db'));
  raw.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table sessions (key integer primary key, id text unique, parent text, seq integer, state text)`);
  const insert = raw.prepare('insert into sessions (id, parent, seq, state) values (?, ?, ?, ?)');
  const state = JSON.stringify(session.info.state);
  const same = await openSameRow(path.join(folder, 'same-fork.db'));
  const pages = () =>
    store
      .count()
      .then(
        () =>
          new DatabaseSync(file, { readOnly: true }).prepare('pragma page_count').get()!.page_count as number,
      );
  const before = await pages();
  const figures = await alternate(
    {
      bare: (n) => insert.run(`fork-${n}`, 'trunk', 9_000, state),
      raw: (n) => same.insert(`fork-${n}`, state),
      ours: (n) => forkSession(store, session.info, { at: 9_000, id: `fork-${n}` }),
    },
    FORKS,
  );
  const bytes = (((await pages()) - before) * 4096) / FORKS;
  raw.close();
  same.close();
  const { ours, bare } = figures;
  return [
    ratioRow('fork at 9,000 of 10,000, against inserting the same row with its indexes', {
      ...figures,
      most: 3,
    }),
    {
      work: '… against a row of five columns with an index by id',
      value: `${format(ours)} ms / ${format(bare)} ms = ${(ours / bare).toFixed(2)} ×`,
      target: '–',
    },
    { work: '… bytes it adds', value: `${bytes.toFixed(0)} B`, target: '< 1,024 B', met: bytes < 1024 },
  ];
}

/** The row of a fork through one bare statement that is told every value, into the table and the indexes that ours has. */
async function openSameRow(file: string) {
  await using _ = await openSqliteStore(file, { durability: 'normal' });
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = normal');
  const insert = db.prepare(
    `insert into sessions (id, parent, relation, parent_seq, created_at, updated_at, head, messages, queries, tokens,
       usage, place, name, project, agent, state)
     values (?, 'trunk', 'fork', 9000, ?, ?, 9000, 9000, 3000, 1000000, ?, 'active', 'name', null, null, ?)`,
  );
  return {
    insert: (id: string, state: string) => insert.run(id, Date.now(), Date.now(), '{}', state),
    close: () => db.close(),
  };
}
