import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** The raw limit: the same rows through bare prepared statements, without an id index and without a session row. */
export function openRawLog(file: string, synchronous: 'full' | 'normal') {
  const db = new DatabaseSync(file);
  db.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}`);
  db.exec(
    `create table if not exists entries (position integer primary key, id blob not null, at integer not null, kind text not null, tokens integer not null, body text not null) strict`,
  );
  const insert = db.prepare('insert into entries (id, at, kind, tokens, body) values (?, ?, ?, ?, ?)');
  const tail = db.prepare('select position, body from entries order by position desc limit ?');
  const one = db.prepare('select position, body from entries where position = ?');
  return {
    db,
    append: (body: string) => insert.run(randomBytes(16), Date.now(), 'message', 100, body),
    tail: (count: number) => tail.all(count).map((row) => JSON.parse(row.body as string)),
    one: (position: number) => JSON.parse(one.get(position)!.body as string),
    close: () => db.close(),
  };
}
