import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/** Everything an index holds, told by session and seq instead of by the numbers that depend on how it was built. */
export function dumpIndex(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const place = `(select id from sessions where key = cast(DOC / 268435456 as integer)) || ':' || (DOC % 268435456)`;
    const all = (sql: string) => db.prepare(sql.replaceAll('PLACE', place).replaceAll('DOC', 'doc')).all();
    db.exec(`create virtual table temp.tokens using fts5vocab(main, words, instance)`);
    const tokens = all(`select PLACE as place, term, "offset" from temp.tokens order by 1, 3, 2`);
    return {
      sessions: all('select id, watermark, messages from sessions order by id'),
      docs: all('select PLACE as place, hex(entry) as entry, at, role from docs order by 1'),
      touches: all(
        'select PLACE as place, paths.path as path from touches join paths on paths.id = touches.path order by 1, 2',
      ),
      meanings: all(
        'select PLACE as place, hex(vectors) as vectors, hex(words) as words from meanings order by 1',
      ),
      tokens: createHash('sha256').update(JSON.stringify(tokens)).digest('hex'),
      tokenCount: tokens.length,
    };
  } finally {
    db.close();
  }
}
