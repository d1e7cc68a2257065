import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Original } from '../../archive/index.ts';
import { getSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { SessionField } from '../fields.ts';

/** A file, or a session of the store. */
export const OriginalField = z.union([
  z.strictObject({ file: z.string().min(1) }),
  z.strictObject({ session: SessionField }),
]);
type OriginalField = z.output<typeof OriginalField>;

/** Only originals that are sessions need a store. */
export interface MayHaveStore {
  readonly store?: Store;
}

/** The bytes of each original, one after the other. */
export async function* readOriginals(
  originals: readonly OriginalField[],
  { store }: MayHaveStore,
): AsyncGenerator<Original> {
  for (const original of originals)
    if ('file' in original)
      yield { name: path.basename(original.file), kind: 'file', bytes: await readFile(original.file) };
    else if (store) yield await readSession(store, original.session);
    else throw new Error('bug: a session is archived without its store');
}

/** A session with everything that was forked from it, in our own format: import brings it back. */
async function readSession(store: Store, id: string): Promise<Original> {
  const { exportSession } = await import('../../transcripts/index.ts');
  const session = await getSession(store, id);
  const pieces: Buffer[] = [];
  for await (const { text } of exportSession(store, session, { format: 'throughline' }))
    pieces.push(Buffer.from(text));
  return { name: `${session.id}.jsonl`, kind: 'session', bytes: Buffer.concat(pieces) };
}
