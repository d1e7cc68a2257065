import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import { getTurn, type TurnRecord as Turn } from '../../run/index.ts';
import type { App } from '../app.ts';
import { EntryIdField } from '../fields.ts';
import { contentOf } from '../records/message-record.ts';
import { TurnRecord } from '../records/turn-record.ts';
import type { TurnApp } from '../turn-app.ts';

export const TurnField = EntryIdField.describe('The id of the turn: that of its question.');

/** A turn and its newest answer. */
export const ToldFields = {
  turn: TurnRecord,
  text: z.string().nullable().describe('What the newest answer says; `null` while there is none.'),
};

/** A turn as it stands now, with the text of its newest answer. */
export async function tellTurn(app: TurnsTold, session: SessionInfo['id'], turnId: string) {
  const { store } = app;
  const info = (await store.session(session))!;
  const turn = await getTurn(store, info, turnId);
  const answer = turn.answer === null ? undefined : await store.entry(session, turn.answer);
  const text = answer?.body.kind === 'message' ? contentOf(answer.body.parts) : null;
  return { turn: withReason(app, turn), text };
}

type TurnsTold = Pick<App, 'store'> | Pick<TurnApp, 'store' | 'runs'>;

/** A turn that waits because the store cannot be written has its reason in the process that met it. */
export function withReason(app: TurnsTold, turn: Turn): z.output<typeof TurnRecord> {
  const reason = 'runs' in app && turn.status === 'waiting' ? app.runs.whyWaiting(turn.id) : undefined;
  return { ...turn, error: reason ?? turn.error };
}
