import { z } from 'zod';
import { newEntryId } from '../../record/index.ts';
import { ContentField, NewIdField, SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import type { TurnApp } from '../turn-app.ts';
import { TurnField } from './tell-turn.ts';

export const steerRunningTurn = operation({
  name: 'turn/steer',
  summary:
    'Hands a message in to the turn that is running: it is stored, and given to the model with its next request. `turn-not-running` if none is; then send it as a message of its own.',
  writes: true,
  fails: ['session-trashed', 'turn-not-found', 'turn-not-running', 'lease-held', 'entry-conflict'],
  params: z.strictObject({
    sessionId: SessionField,
    turnId: TurnField.optional().describe('The turn that is meant; without it, the running one.'),
    content: ContentField,
    id: NewIdField,
  }),
  result: z.strictObject({ stored: z.literal(true), messageId: z.string(), turnId: z.string() }),
  faces: { rpc: true },
  async run({ sessionId, turnId, content, id = newEntryId() }, app: TurnApp) {
    const info = await app.find(sessionId);
    const { turn, message } = await app.runs.steer(
      info.id,
      { id, parts: content },
      { ...(turnId !== undefined && { turn: turnId }) },
    );
    return { stored: true as const, messageId: message, turnId: turn };
  },
});
