import { z } from 'zod';
import { getTurn, listTurns, newestTurn, waitForTurn } from '../../agent/index.ts';
import { newEntryId, type SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import {
  ContentField,
  EntryIdField,
  ModelField,
  NewIdField,
  ProviderField,
  SeqField,
  SessionField,
  WaitField,
} from '../fields.ts';
import { operation } from '../operation.ts';
import { contentOfOperation } from '../records/message-record.ts';
import { TurnAnswerRecord } from '../records/turn-record.ts';
import { refused } from '../refused.ts';
import { turnsFor } from '../runs/turns-for.ts';
import type { TurnApp } from '../turn-app.ts';

const TurnField = EntryIdField.describe('The id of the turn: that of its question.');

/** A turn and its newest answer. */
const ToldFields = {
  turn: TurnAnswerRecord,
  text: z.string().nullable().describe('What the newest answer says; `null` while there is none.'),
};

/** A turn as it stands now, with the text of its newest answer. */
export async function tellTurn({ store }: Pick<App, 'store'>, session: SessionInfo['id'], turnId: string) {
  const info = (await store.session(session))!;
  const turn = await getTurn(store, info, turnId);
  const answer = turn.answer === null ? undefined : await store.entry(session, turn.answer);
  const text = answer?.body.kind === 'message' ? contentOfOperation(answer.body.parts) : null;
  return { turn, text };
}

export const readTurnOperation = operation({
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

export const listTurnRecords = operation({
  name: 'turn/list',
  summary: 'The turns of a session, newest first: those that wait, the one that runs, those that are over.',
  params: z.strictObject({
    sessionId: SessionField,
    limit: z
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Of turns that were begun; those that wait are all on the first page.'),
    before: SeqField.optional().describe('From the page before: only turns whose question is older.'),
  }),
  result: z.strictObject({
    turns: z.array(TurnAnswerRecord),
    before: z.int().nullable().describe('For the next page; `null` on the last one.'),
  }),
  faces: { rpc: true },
  async run({ sessionId, limit, before }, app) {
    const info = await app.find(sessionId);
    const turns = await listTurns(app.store, info, { limit, ...(before !== undefined && { before }) });
    const begun = turns.filter(({ seq }) => seq !== null);
    const last = begun.length === limit ? begun.at(-1)!.seq : null;
    return { turns: turns, before: last };
  },
});

export const retryTurnOperation = operation({
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
    turn: TurnAnswerRecord.optional(),
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
