import type { DatabaseSync } from 'node:sqlite';
import { lazyStatement } from './lazy-statement.ts';

/** Which sessions carry a tag: an index over the sessions' states. Tags are looked up in their well-formed form. */
export function tagsTable(db: DatabaseSync) {
  const insert = lazyStatement(db, 'insert into tags (tag, session) values (?, ?) on conflict do nothing');
  const remove = lazyStatement(db, 'delete from tags where session = ?');
  const bySession = lazyStatement(db, 'select tag from tags where session = ? order by tag');

  return {
    replace(session: number, tags: readonly string[]): void {
      remove.run(session);
      for (const tag of tags) insert.run(tag.toWellFormed(), session);
    },
    bySession: (session: number) => bySession.all(session).map((row) => row.tag as string),
  };
}

export type TagsTable = ReturnType<typeof tagsTable>;
