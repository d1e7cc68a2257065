import { z } from 'zod';
import { getTurn, waitForTurn } from '../../run/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { ToldFields, TurnField, tellTurn } from './tell-turn.ts';

export const readTurn = operation({
  name: 'turn/get',
  summary:
    'A turn as the log tells it: its status, when it began and ended, what it used, why it failed. With `wait` the answer comes once the turn is neither waiting nor running, in whichever process it runs.',
  fails: ['turn-not-found'],
  params: z.strictObject({
    sessionId: SessionField,
    turnId: TurnField,
    wait: z.boolean().default(false),
  }),
  result: z.strictObject(ToldFields),
  faces: { rpc: true },
  async run({ sessionId, turnId, wait }, app, { handedOver, signal, closing }) {
    const info = await app.find(sessionId);
    if (!wait) return tellTurn(app, info.id, turnId);
    await getTurn(app.store, info, turnId);
    handedOver?.({ isWaiting: true });
    await waitForTurn(app.store, {
      session: info.id,
      turn: turnId,
      ...(signal && { signal }),
      ...(closing && { closing }),
    });
    return tellTurn(app, info.id, turnId);
  },
});
