import path from 'node:path';
import type { SessionId } from '../../record/index.ts';

/** Where the transcript of a session lies: beside the store. */
export function mirrorFile(location: string, id: SessionId): string {
  return path.join(path.dirname(location), 'transcripts', `${id}.md`);
}
