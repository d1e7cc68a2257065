import { isThroughlineError } from '../../errors.ts';
import type { ModelNames } from '../../models/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';

/** The chat session behind an AI session. After a restart it is unknown, and the chat session named beside it counts. */
export async function findChatSession(
  app: TurnApp,
  { sessionId, storageSessionId }: { sessionId?: string | undefined; storageSessionId?: string | undefined },
): Promise<{ info: SessionInfo; asked: ModelNames }> {
  if (sessionId === undefined && storageSessionId === undefined)
    throw refused(
      'usage',
      'Name the session: "sessionId" (an AI session) or "storageSessionId" (a chat session).',
    );
  const known = sessionId === undefined ? undefined : app.aiSessions.get(sessionId);
  const reference = known?.chatSessionId ?? storageSessionId;
  if (reference === undefined) throw unknown(sessionId ?? '');
  const info = await app.find(reference).catch((error: unknown) => {
    throw isThroughlineError(error, 'session-not-found') && known ? unknown(known.id) : error;
  });
  if (known && storageSessionId !== undefined && (await app.find(storageSessionId)).id !== info.id)
    throw refused(
      'usage',
      `AI session "${sessionId}" was opened on "${info.id}", not on "${storageSessionId}".`,
    );
  return { info, asked: known ?? {} };
}

function unknown(sessionId: string) {
  return refused(
    'session-not-found',
    `No AI session "${sessionId}": AI sessions end with the server. Call ai/session/resume, or give the id of the chat session as "storageSessionId".`,
    { session: sessionId },
  );
}
