import type { z } from 'zod';
import { type Offered, OPERATIONS, type Operation } from '../../../operations/index.ts';
import type { RpcCall } from '../call.ts';
import { discover } from './discover.ts';
import { initialize } from './initialize.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { serverInfo } from './server-info.ts';
import { unwatchSession, watchSession, watchSessions } from './watch-session.ts';

/** An operation that RPC offers. One about the connection runs with the call; any other with the app in it. */
export type Method = Operation<string, z.ZodObject, z.ZodType, RpcCall>;

/** The operations about the connection, which no other face has. */
const OF_CONNECTION = [
  initialize,
  watchSession,
  watchSessions,
  unwatchSession,
  serverInfo,
  discover,
] as const;

type OfConnection = { readonly [One in (typeof OF_CONNECTION)[number] as One['name']]: One };

/** Every method: the operations that RPC offers, the handshake first and the rest about the connection last. */
export const METHODS = Object.fromEntries(
  [initialize, ...OPERATIONS.filter(({ faces }) => faces.rpc), ...OF_CONNECTION].map((each) => [
    each.name,
    each,
  ]),
) as unknown as Offered & OfConnection;

type Methods = typeof METHODS;
export type MethodName = keyof Methods;
/** What a caller gives: fields with a default may be left out. */
export type ParamsOf<Name extends MethodName> = z.input<Methods[Name]['params']>;
export type ResultOf<Name extends MethodName> = z.output<Methods[Name]['result']>;

type Notifications = typeof NOTIFICATIONS;
export type NotificationName = keyof Notifications;
export type NotificationParams<Name extends NotificationName> = z.output<Notifications[Name]['params']>;

export type {
  CompactionRecord,
  DocumentRecord,
  EntryRecord,
  LiveEvent,
  MessageRecord,
  SessionRecord,
  TodoRecord,
  TurnAnswerRecord,
  WaitingRecord,
} from '../../../operations/index.ts';
export { NOTIFICATIONS };
