import type { SessionId } from '../../record/index.ts';
import { type CheckpointFile, writeCheckpointFile } from '../../summary/index.ts';
import type { Desk } from '../desk.ts';

/** How the work of a session stands, with what its compactions have saved. */
export async function readCheckpointOf(desk: Desk, id: SessionId): Promise<CheckpointFile> {
  const { info, fold, loop } = await desk.sessions.read(id);
  return writeCheckpointFile(fold.checkpoint, {
    sessionId: id,
    createdAt: info.createdAt,
    ...fold.accounting,
    ...(loop && { loop }),
  });
}
