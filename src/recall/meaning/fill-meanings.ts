import type { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../store/index.ts';
import { keyOf } from '../index-file/doc-id.ts';
import { roleNumber, type Tables } from '../index-file/tables.ts';
import { transact } from '../index-file/transact.ts';
import { messageText } from '../text/message-text.ts';
import type { Senses } from './embed-message.ts';

const AT_ONCE = 200;

interface Source {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly senses: Senses | undefined;
}

/** Embeds messages that an embedder failed on before. Stops at the first failure; returns how many still wait. */
export async function fillMeanings(
  db: DatabaseSync,
  tables: Tables,
  { store, redact, senses }: Source,
  { patienceMs }: { patienceMs: number },
): Promise<number> {
  const waiting = db.prepare('select doc from meanings where vectors is null limit ?');
  const count = db.prepare('select count(*) as waiting from meanings where vectors is null');
  const remove = db.prepare('delete from meanings where doc = ? and vectors is null');
  const add = db.prepare('insert into meanings (doc, role, at, vectors, words) values (?, ?, ?, ?, ?)');
  for (;;) {
    const left = count.get()!.waiting as number;
    if (left === 0 || !senses) return left;
    const docs = waiting.all(AT_ONCE).map(({ doc }) => doc as number);
    const texts = await Promise.all(docs.map((doc) => textOf(doc)));
    const meanings = await senses.embedMessages(texts);
    if (!meanings.every((meaning) => 'vectors' in meaning)) return left;
    await transact(
      db,
      () => {
        for (const [index, doc] of docs.entries()) {
          const { vectors, words } = meanings[index]!;
          const { role, at } = texts[index]!;
          // A new row and not an update: its number tells other processes that there is something to load.
          if (remove.run(doc).changes > 0)
            add.run(
              doc,
              roleNumber(role),
              at,
              vectors,
              new Uint8Array(words.buffer, words.byteOffset, words.byteLength),
            );
        }
      },
      { patienceMs },
    );
  }

  async function textOf(doc: number) {
    const row = tables.doc(doc)!;
    const entry = await store.entry(tables.sessionByKey(keyOf(doc))!.id, row.entry);
    const text =
      entry?.body.kind === 'message' ? (await messageText(entry.body, (hash) => store.blob(hash))).text : '';
    return { text: redact(text), role: row.role, at: row.at };
  }
}
