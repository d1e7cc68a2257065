import { z } from 'zod';
import { SessionField, WaitField } from '../fields.ts';
import { operation } from '../operation.ts';
import { turnsFor } from '../runs/turns-for.ts';
import type { TurnApp } from '../turn-app.ts';
import { AiSessionField } from './ai-session-fields.ts';
import { findChatSession } from './find-chat-session.ts';

export const continueTurn = operation({
  name: 'ai/session/continue',
  summary:
    'Asks again for the newest turn if it has no whole answer (cut by a person, a provider, a crash or a stop, failed, or at its limit), and runs the messages that wait.',
  writes: true,
  fails: ['session-trashed', 'lease-held'],
  params: z.strictObject({
    sessionId: AiSessionField.optional().describe(
      'The AI session, from `ai/session/create` or `ai/session/resume`; not needed with `storageSessionId`.',
    ),
    storageSessionId: SessionField.optional(),
    stream: z.boolean().default(true),
    waitMs: WaitField,
  }),
  result: z.strictObject({
    started: z.boolean(),
    messageId: z.string().nullable(),
    chatSessionId: z.string(),
  }),
  faces: { rpc: true },
  async run({ stream, waitMs, ...named }, app: TurnApp, { streamTurn }) {
    const { info, asked } = await findChatSession(app, named);
    const started = await app.runs.goOn(info.id, turnsFor(app, asked), { waitMs });
    if (started && stream) streamTurn?.(info.id, started.messageId);
    return { started: started !== undefined, messageId: started?.messageId ?? null, chatSessionId: info.id };
  },
});
