import { z } from 'zod';
import type { SessionInfo } from '../../record/index.ts';
import { getTurn } from '../../run/index.ts';
import type { App } from '../app.ts';
import { EntryIdField } from '../fields.ts';
import { contentOf } from '../records/message-record.ts';
import { TurnRecord } from '../records/turn-record.ts';

export const TurnField = EntryIdField.describe('The id of the turn: that of its question.');

/** A turn and its newest answer. */
export const ToldFields = {
  turn: TurnRecord,
  text: z.string().nullable().describe('What the newest answer says; `null` while there is none.'),
};

/** A turn as it stands now, with the text of its newest answer. */
export async function tellTurn({ store }: Pick<App, 'store'>, session: SessionInfo['id'], turnId: string) {
  const info = (await store.session(session))!;
  const turn = await getTurn(store, info, turnId);
  const answer = turn.answer === null ? undefined : await store.entry(session, turn.answer);
  const text = answer?.body.kind === 'message' ? contentOf(answer.body.parts) : null;
  return { turn, text };
}
