import { randomBytes } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { openSqliteStore } from '../src/store/sqlite/index.ts';

/** The same rows, column by column and with the same indexes, through one bare statement that is told every value. */
export async function openSameRows(file: string) {
  await using _ = await openSqliteStore(file, { durability: 'normal' });
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = normal');
  const insert = db.prepare(
    `insert into entries (position, id, at, kind, tokens, version, crc, body,
       updated_at, messages, queries, total, input, output, reasoning, cache_read, cache_write, cost)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let position = 2 ** 32;
  return {
    db,
    append(body: string): void {
      const at = Date.now();
      position++;
      // biome-ignore format: one line for each group of columns
      insert.run(
        position, randomBytes(16), at, 'message', 100, 1, 123_456_789, body,
        at, position, 3, 100, 0, 0, null, null, null, null,
      );
    },
    close: () => db.close(),
  };
}
