import { contentOf, refused } from '../../operations/index.ts';
import { newEntryId, type SessionInfo } from '../../record/index.ts';
import { getTurn, listTurns, newestTurn, waitForTurn } from '../../run/index.ts';
import type { Call, Handler } from '../call.ts';
import { prepareRun } from '../runs/prepare-turn.ts';

const get: Handler<'turn/get'> = async ({ sessionId, turnId, wait }, call, handedOver) => {
  const info = await call.find(sessionId);
  if (!wait) return tellTurn(call, info.id, turnId);
  await getTurn(call.store, info, turnId);
  handedOver({ isWaiting: true });
  await waitForTurn(call.store, {
    session: info.id,
    turn: turnId,
    ...(call.line && { signal: call.line.connection.signal }),
  });
  return tellTurn(call, info.id, turnId);
};

const list: Handler<'turn/list'> = async ({ sessionId, limit, before }, { store, find }) => {
  const info = await find(sessionId);
  const turns = await listTurns(store, info, { limit, ...(before !== undefined && { before }) });
  const begun = turns.filter(({ seq }) => seq !== null);
  const last = begun.length === limit ? begun.at(-1)!.seq : null;
  return { turns: turns.map((turn) => ({ ...turn })), before: last };
};

const retry: Handler<'turn/retry'> = async (params, call, handedOver) => {
  const { sessionId, turnId, stream, wait, ...asked } = params;
  const info = await call.find(sessionId);
  const turn = turnId ?? (await newestTurn(call.store, info))?.id;
  if (turn === undefined)
    throw refused('usage', `Session "${info.id}" has no turn to ask again.`, { session: info.id });
  const leave = stream ? call.line?.watches.streamTurn(info.id, turn) : undefined;
  const started = await call.runs.goOn(info.id, prepareRun(call, asked), { turn }).catch((error: unknown) => {
    leave?.();
    throw error;
  });
  if (!wait) return { started: true, turnId: turn };
  handedOver({ isWaiting: true });
  await started?.over;
  return { started: true, turnId: turn, ...(await tellTurn(call, info.id, turn)) };
};

const steer: Handler<'turn/steer'> = async ({ sessionId, turnId, content, id = newEntryId() }, call) => {
  const info = await call.find(sessionId);
  const { turn, message } = await call.runs.steer(
    info.id,
    { id, parts: content },
    { ...(turnId !== undefined && { turn: turnId }) },
  );
  return { stored: true, messageId: message, turnId: turn };
};

/** A turn as it stands now, with what its newest answer says. */
export async function tellTurn({ store }: Pick<Call, 'store'>, session: SessionInfo['id'], turnId: string) {
  const info = (await store.session(session))!;
  const turn = await getTurn(store, info, turnId);
  const answer = turn.answer === null ? undefined : await store.entry(session, turn.answer);
  const text = answer?.body.kind === 'message' ? contentOf(answer.body.parts) : null;
  return { turn: { ...turn }, text };
}

export const turn = { 'turn/get': get, 'turn/list': list, 'turn/retry': retry, 'turn/steer': steer };
