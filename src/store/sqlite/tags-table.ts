import type { DatabaseSync } from 'node:sqlite';

/** Which sessions carry a tag: an index over the sessions' states. Tags are looked up in their well-formed form. */
export function tagsTable(db: DatabaseSync) {
  const insert = db.prepare('insert into tags (tag, session) values (?, ?) on conflict do nothing');
  const remove = db.prepare('delete from tags where session = ?');
  const bySession = db.prepare('select tag from tags where session = ? order by tag');

  return {
    replace(session: number, tags: readonly string[]): void {
      remove.run(session);
      for (const tag of tags) insert.run(tag.toWellFormed(), session);
    },
    bySession: (session: number) => bySession.all(session).map((row) => row.tag as string),
  };
}

export type TagsTable = ReturnType<typeof tagsTable>;
