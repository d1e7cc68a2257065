import { ThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import { newestTurn } from '../../run/index.ts';
import { isDead } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';

/** Throws if another process runs a turn in the session: here it can be neither stopped nor handed anything. */
export async function refuseElsewhere(store: Store, id: SessionId): Promise<void> {
  const lease = await store.lease(id);
  const info = lease && !isDead(lease.owner) ? await store.session(id) : undefined;
  if (!lease || !info || (await newestTurn(store, info))?.status !== 'running') return;
  const { name, pid, host } = lease.owner;
  throw new ThroughlineError(
    'lease-held',
    `The turn of session "${id}" is run by another process: ${name} (process ${pid} on ${host.split('/')[0]}). Ask that one.`,
    { details: { session: id, holder: lease.owner } },
  );
}
