import type { DatabaseSync } from 'node:sqlite';
import { isSessionMissing, isThroughlineError } from '../../errors.ts';
import type { EntryId, SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { BlocksTable } from '../index/blocks-table.ts';
import { keyOf } from '../index/doc-id.ts';
import { type IndexTables, roleNumber } from '../index/tables.ts';
import { messageText } from '../text/message-text.ts';
import type { Said, Senses } from './embed-message.ts';

const AT_ONCE = 200;

interface Filling {
  readonly store: Store;
  readonly redact: (text: string) => string;
  readonly senses: Senses | undefined;
  readonly blocks: BlocksTable;
  readonly transaction: (work: () => void) => Promise<void>;
  /** Called with how many still wait, before each step. */
  readonly onStep: (waiting: number) => void;
}

interface Waiting extends Said {
  readonly doc: number;
  readonly at: number;
}

/**
 * Asks a provider for the vectors of messages that have none yet. Words never wait for it: they are in the index before.
 * Stops at the first failure; returns how many still wait.
 */
export async function fillMeanings(
  db: DatabaseSync,
  tables: IndexTables,
  { store, redact, senses, blocks, transaction, onStep }: Filling,
): Promise<number> {
  const waiting = db.prepare('select doc from meanings where block is null order by doc limit ?');
  const count = db.prepare('select count(*) as waiting from meanings where block is null');
  const stillWaits = db.prepare('select 1 from meanings where doc = ? and block is null');
  const settle = db.prepare('update meanings set block = ? where doc = ?');
  for (;;) {
    const left = count.get()!.waiting as number;
    if (left === 0 || !senses) return left;
    onStep(left);
    const messages = await Promise.all(waiting.all(AT_ONCE).map(({ doc }) => read(doc as number)));
    const embedded = await senses.embed(messages);
    if (!embedded) return left;
    await transaction(() => {
      // Another process may have asked as well, or the session may be gone by now.
      const vectored = messages
        .map(({ doc, role, at }, index) => ({
          doc,
          role: roleNumber(role),
          at,
          vectors: embedded.vectors[index]!,
        }))
        .filter(({ doc }) => stillWaits.get(doc) !== undefined);
      const block = blocks.add(vectored, embedded.dimensions) ?? 0;
      for (const { doc, vectors } of vectored) settle.run(vectors.length > 0 ? block : 0, doc);
    });
  }

  async function read(doc: number): Promise<Waiting> {
    const row = tables.doc(doc);
    const session = tables.sessionByKey(keyOf(doc));
    if (!row || !session) return { doc, text: '', role: 'user', at: 0 };
    return { doc, text: redact(await textOf(store, session.id, row.entry)), role: row.role, at: row.at };
  }
}

/** Empty if the message is gone since, or cannot be read. */
async function textOf(store: Store, session: SessionId, id: EntryId): Promise<string> {
  try {
    const body = (await store.entry(session, id))?.body;
    return body?.kind === 'message' ? messageText(body, (hash) => store.blob(hash)) : '';
  } catch (error) {
    if (isSessionMissing(error) || isThroughlineError(error, 'entry-unreadable')) return '';
    throw error;
  }
}
