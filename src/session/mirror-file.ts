import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { SessionId } from '../record/index.ts';
import type { Store } from '../store/index.ts';

/** Where the transcript of a session lies that a chat keeps: beside the store. */
export function mirrorFile(location: string, id: SessionId): string {
  return path.join(path.dirname(location), 'transcripts', `${id}.md`);
}

/** Deletes the transcript of a session, and what a process that was killed while writing it left beside it. */
export async function removeMirror({ facts }: Store, id: SessionId): Promise<void> {
  if (facts.backend !== 'sqlite') return;
  const file = mirrorFile(facts.location, id);
  const [folder, own] = [path.dirname(file), path.basename(file)];
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  for (const name of names)
    if (name === own || (name.startsWith(own) && /^\.[0-9a-f]{12}$/.test(name.slice(own.length))))
      await rm(path.join(folder, name), { force: true });
}
