import { z } from 'zod';
import { newestTurn } from '../../run/index.ts';
import { SessionField } from '../fields.ts';
import { operation } from '../operation.ts';
import { listSteering, listWaiting } from '../records/list-waiting.ts';
import { SessionRecord } from '../records/session-record.ts';
import { showSession } from '../records/show-session.ts';
import { TurnRecord, WaitingRecord } from '../records/turn-record.ts';

export const getSession = operation({
  name: 'chat/session/get',
  summary: 'One session.',
  params: z.strictObject({ sessionId: SessionField }),
  result: z.strictObject({
    session: SessionRecord,
    waiting: z
      .array(WaitingRecord)
      .describe('What was said while an answer was being written and is answered next, oldest first.'),
    turn: TurnRecord.nullable().describe('The newest turn that was begun; `null` if nothing was asked yet.'),
    steering: z
      .array(WaitingRecord)
      .describe(
        'Messages that `turn/steer` handed in to that turn and that the model was not given yet, oldest first.',
      ),
  }),
  faces: { rpc: true },
  async run({ sessionId }, app) {
    const info = await app.find(sessionId);
    const turn = await newestTurn(app.store, info);
    return {
      session: await showSession(app, info),
      waiting: await listWaiting(app.store, info),
      turn: turn ? { ...turn } : null,
      steering: await listSteering(app.store, info, turn),
    };
  },
});
