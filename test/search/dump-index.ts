import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { createBlocksTable } from '../../src/search/index/blocks-table.ts';

/** Everything an index holds, told by session and seq instead of by the numbers that depend on how it was built. */
export function dumpIndex(file: string) {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    const place = `(select id from sessions where key = cast(DOC / 268435456 as integer)) || ':' || (DOC % 268435456)`;
    const all = (sql: string) => db.prepare(sql.replaceAll('PLACE', place).replaceAll('DOC', 'doc')).all();
    db.exec(`create virtual table temp.tokens using fts5vocab(main, words, instance)`);
    const tokens = all(`select PLACE as place, term, "offset" from temp.tokens order by 1, 3, 2`);
    const vectors = vectorsOf(db);
    return {
      sessions: all('select id, watermark, messages from sessions order by id'),
      decisions: all('select PLACE as place from decisions order by 1'),
      docs: all('select PLACE as place, hex(entry) as entry, at, role from docs order by 1'),
      touches: all(
        'select PLACE as place, paths.path as path from touches join paths on paths.id = touches.path order by 1, 2',
      ),
      meanings: all(
        'select PLACE as place, doc, coalesce(block > 0, -1) as vectored, hex(words) as words from meanings order by 1',
      ).map(({ doc, ...row }) => ({ ...row, vectors: vectors.get(doc as number) })),
      tokens: createHash('sha256').update(JSON.stringify(tokens)).digest('hex'),
      tokenCount: tokens.length,
    };
  } finally {
    db.close();
  }
}

/** The vectors of each message with their time and role, by its number. Every one of them has to be in its block. */
export function vectorsOf(db: DatabaseSync): Map<number, string> {
  const found = new Map<number, string>();
  const blockOf = db.prepare('select block from meanings where doc = ?');
  for (const { block, docs, times, roles, vectors } of createBlocksTable(db).after(0, -1)) {
    const dimensions = vectors.length / docs.length;
    for (const [row, doc] of docs.entries()) {
      if (blockOf.get(doc)?.block !== block) throw new Error(`the vectors of ${doc} are not where it says`);
      const bytes = Buffer.from(vectors.subarray(row * dimensions, (row + 1) * dimensions)).toString('hex');
      found.set(doc, `${found.get(doc) ?? ''} ${times[row]} ${roles[row]} ${bytes}`);
    }
  }
  return found;
}
