import { z } from 'zod';
import {
  ContentField,
  EntryIdField,
  ModelField,
  NewIdField,
  ProviderField,
  SeqField,
  SessionField,
  TurnRecord,
} from '../../operations/index.ts';
import { method } from './method.ts';

const TurnField = EntryIdField.describe('The id of the turn: that of its question.');

const Told = {
  turn: TurnRecord,
  text: z.string().nullable().describe('What the newest answer says; `null` while there is none.'),
};

export const turn = {
  'turn/get': method({
    summary:
      'A turn as the log tells it: its status, when it began and ended, what it used, why it failed. With `wait` the answer comes once the turn is neither waiting nor running, in whichever process it runs.',
    fails: ['turn-not-found'],
    params: z.strictObject({
      sessionId: SessionField,
      turnId: TurnField,
      wait: z.boolean().default(false),
    }),
    result: z.strictObject(Told),
  }),
  'turn/list': method({
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
      turns: z.array(TurnRecord),
      before: z.int().nullable().describe('For the next page; `null` on the last one.'),
    }),
  }),
  'turn/retry': method({
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
    }),
    result: z.strictObject({
      started: z.literal(true),
      turnId: z.string(),
      turn: TurnRecord.optional(),
      text: z.string().nullable().optional(),
    }),
  }),
  'turn/steer': method({
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
  }),
} as const;
