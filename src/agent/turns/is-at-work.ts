import type { SessionId } from '../../record/index.ts';
import { isDead, thisProcess } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { runsHere } from '../turn-queue.ts';

/**
 * Whether a process may be running the turns of a session, as far as this process can know. Of another process only its lease
 * is known, which it holds between turns too; of this one, whether it runs a turn.
 */
export async function isAtWork(store: Store, id: SessionId): Promise<boolean> {
  const owner = (await store.lease(id))?.owner;
  if (owner === undefined) return false;
  const { host, pid, startedAt } = thisProcess('');
  const isOurs = owner.host === host && owner.pid === pid && owner.startedAt === startedAt;
  return isOurs ? runsHere(id) : !isDead(owner);
}
