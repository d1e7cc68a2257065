import { z } from 'zod';
import { newestTurn } from '../../run/index.ts';
import { ModelField, ProviderField, SessionField, WaitField } from '../fields.ts';
import { operation } from '../operation.ts';
import { TurnRecord } from '../records/turn-record.ts';
import { refused } from '../refused.ts';
import { turnsFor } from '../runs/turns-for.ts';
import type { TurnApp } from '../turn-app.ts';
import { TurnField, tellTurn } from './tell-turn.ts';

export const retryTurn = operation({
  name: 'turn/retry',
  summary:
    'Asks again for the newest turn, which has to be without a whole answer: cut by a person, a provider, a crash or a stop, failed, or at its limit. Then the messages that wait are answered.',
  writes: true,
  fails: ['session-trashed', 'turn-not-found', 'lease-held'],
  params: z.strictObject({
    sessionId: SessionField,
    turnId: TurnField.optional().describe(
      'The turn that is meant: any other than the newest is refused. Without it, the newest.',
    ),
    provider: ProviderField.optional().describe('For this turn only.'),
    model: ModelField.optional().describe('For this turn only.'),
    stream: z.boolean().default(true).describe('Send the events of this turn to this connection.'),
    wait: z.boolean().default(false).describe('Answer once the turn has ended, with its record.'),
    waitMs: WaitField,
  }),
  result: z.strictObject({
    started: z.literal(true),
    turnId: z.string(),
    turn: TurnRecord.optional(),
    text: z.string().nullable().optional(),
  }),
  faces: { rpc: true },
  async run(params, app: TurnApp, { handedOver, streamTurn }) {
    const { sessionId, turnId, stream, wait, waitMs, ...asked } = params;
    const info = await app.find(sessionId);
    const turn = turnId ?? (await newestTurn(app.store, info))?.id;
    if (turn === undefined)
      throw refused('usage', `Session "${info.id}" has no turn to ask again.`, { session: info.id });
    const leave = stream ? streamTurn?.(info.id, turn) : undefined;
    const started = await app.runs
      .goOn(info.id, turnsFor(app, asked), { turn, waitMs })
      .catch((error: unknown) => {
        leave?.();
        throw error;
      });
    if (!wait) return { started: true as const, turnId: turn };
    handedOver?.({ isWaiting: true });
    await started?.over;
    return { started: true as const, turnId: turn, ...(await tellTurn(app, info.id, turn)) };
  },
});
