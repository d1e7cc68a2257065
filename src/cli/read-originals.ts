import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Original } from '../archive/index.ts';
import { isThroughlineError, ThroughlineError } from '../errors.ts';
import { usageError } from './usage-error.ts';
import { type GlobalOptions, withStore } from './with-store.ts';

/** Files and sessions as what an archive keeps. A name that is a file means the file. */
export async function* readOriginals(
  references: readonly string[],
  options: GlobalOptions,
): AsyncGenerator<Original> {
  for (const reference of references) {
    const there = statSync(reference, { throwIfNoEntry: false });
    if (there?.isDirectory()) throw usageError(`${reference} is a folder. Name the files in it.`);
    yield there
      ? { name: path.basename(reference), kind: 'file', bytes: await readFile(reference) }
      : await readSession(reference, options).catch((error: unknown) => {
          throw isThroughlineError(error, 'session-not-found') ? neither(reference, error) : error;
        });
  }
}

function neither(reference: string, cause: ThroughlineError): ThroughlineError {
  const { message, details } = cause;
  return new ThroughlineError('session-not-found', `There is no file ${reference} here. ${message}`, {
    cause,
    details,
  });
}

/** All of a session with everything that was forked from it, in our own format: import brings it back. */
async function readSession(reference: string, options: GlobalOptions): Promise<Original> {
  const { exportSession } = await import('../transcripts/index.ts');
  return withStore(options, async ({ store, find }) => {
    const session = await find(reference, { trashed: true });
    const pieces: Buffer[] = [];
    for await (const { text } of exportSession(store, session, { format: 'throughline' }))
      pieces.push(Buffer.from(text));
    return { name: `${session.id}.jsonl`, kind: 'session', bytes: Buffer.concat(pieces) };
  });
}
