import { z } from 'zod';
import { EntryRecord, LiveEvent, SessionRecord } from '../../../operations/index.ts';

/** A text that the server sends without being asked. */
interface Notification<Params extends z.ZodObject = z.ZodObject> {
  readonly summary: string;
  readonly params: Params;
}

const notification = <Params extends z.ZodObject>(described: Notification<Params>): Notification<Params> =>
  described;

const Watched = { watchId: z.string(), sessionId: z.string() };

export const NOTIFICATIONS = {
  'session/entry': notification({
    summary: 'An entry of a session that you watch. `cursor` is what to watch from after a disconnect.',
    params: z.strictObject({ ...Watched, cursor: z.int(), entry: EntryRecord }),
  }),
  'session/caught-up': notification({
    summary: 'Everything up to `cursor` was sent; from here on it is new.',
    params: z.strictObject({ ...Watched, cursor: z.int() }),
  }),
  'session/watch-end': notification({
    summary: 'The watch is over without being asked: the session was purged, or could not be read any more.',
    params: z.strictObject({ ...Watched, code: z.string(), message: z.string() }),
  }),
  'sessions/changed': notification({
    summary:
      'Something was written since the last one of these; what is written in quick succession comes together. Of what other programs write, it tells for the newest 200 sessions of each place.',
    params: z.strictObject({
      watchId: z.string(),
      sessions: z.array(SessionRecord).describe('As they are now.'),
      gone: z.array(z.string()).describe('Ids of sessions that were purged, or that you may no longer see.'),
      projects: z.array(z.string()).describe('Ids of projects whose memory or board was written to.'),
    }),
  }),
  'ai/session/event': notification({
    summary:
      'Something happened in a turn: to everybody who watches the session, and to whoever said what the turn is about. Nothing of it survives a disconnect; what counts is in the entries.',
    params: z.strictObject({
      sessionId: z.string().describe('The chat session.'),
      turn: z.string().describe('The id of the message that the turn answers.'),
      index: z
        .int()
        .describe('Counts the events of the turn from 1. A gap: this connection was too slow for deltas.'),
      event: LiveEvent,
    }),
  }),
  'server/heartbeat': notification({
    summary: 'The connection lives. Never waits behind anything else.',
    params: z.strictObject({ at: z.number() }),
  }),
  'server/closing': notification({
    summary: 'The server is being stopped. Connect again and watch from your cursors.',
    params: z.strictObject({}),
  }),
} as const;
