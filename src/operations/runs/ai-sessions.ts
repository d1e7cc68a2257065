import { randomUUID } from 'node:crypto';
import { newestTurn } from '../../agent/index.ts';
import { ThroughlineError } from '../../errors.ts';
import type { ModelNames } from '../../models/index.ts';
import type { SessionId } from '../../record/index.ts';
import { isDead } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';

/** A client at work in a chat session, with the model that it chose. Nothing of it has to survive a restart. */
interface AiSession extends ModelNames {
  readonly id: string;
  readonly chatSessionId: SessionId;
}

export interface AiSessions {
  open(chatSessionId: SessionId, asked: ModelNames): AiSession;
  get(id: string): AiSession | undefined;
}

/** The oldest are forgotten beyond this; a returning client names its chat session, or resumes. */
const MOST = 10_000;

export function createAiSessions(): AiSessions {
  const known = new Map<string, AiSession>();
  return {
    open(chatSessionId, { provider, model }) {
      const session = {
        id: `ai-${randomUUID()}`,
        chatSessionId,
        ...(provider != null && { provider }),
        ...(model != null && { model }),
      };
      known.set(session.id, session);
      if (known.size > MOST) known.delete(known.keys().next().value!);
      return session;
    },
    get: (id) => known.get(id),
  };
}

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
