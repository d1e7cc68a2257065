import { randomUUID } from 'node:crypto';
import type { ModelNames } from '../../models/index.ts';
import type { SessionId } from '../../record/index.ts';

/** A client at work in a chat session, with the model that it chose. Nothing of it has to survive a restart. */
export interface AiSession extends ModelNames {
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
