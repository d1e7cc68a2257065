import { z } from 'zod';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';
import { AiSessionField } from './ai-session-fields.ts';
import { findChatSession } from './find-chat-session.ts';

export const cancelTurn = operation({
  name: 'ai/session/cancel',
  summary: 'Stops the turn that is running. The part of the answer that is there is kept as interrupted.',
  writes: true,
  params: z.strictObject({
    sessionId: AiSessionField.optional(),
    chatSessionId: SessionField.optional(),
    all: z.boolean().default(false).describe('Also those that wait: they are kept, and not answered.'),
  }),
  result: z.strictObject({ cancelled: z.int().describe('How many turns were stopped.') }),
  faces: { rpc: true },
  async run({ sessionId, chatSessionId, all }, app: TurnApp) {
    if (sessionId === undefined && chatSessionId === undefined)
      throw refused('usage', 'Name what to stop: "sessionId" or "chatSessionId".');
    const { info } = await findChatSession(app, { sessionId, storageSessionId: chatSessionId });
    return { cancelled: await app.runs.cancel(info.id, { all }) };
  },
});
