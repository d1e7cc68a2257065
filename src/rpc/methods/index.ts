import type { z } from 'zod';
import { type Offered, OPERATIONS } from '../../operations/index.ts';
import { initialize } from './initialize.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { server } from './server.ts';
import { watch } from './watch.ts';

/** Every method there is: the operations that RPC offers, and the methods about the connection itself. */
export const METHODS = {
  ...initialize,
  ...methodsOf(OPERATIONS),
  ...watch,
  ...server,
} as const;

function methodsOf(operations: typeof OPERATIONS): Offered {
  const offered = operations.filter(({ faces }) => faces.rpc);
  return Object.fromEntries(offered.map((each) => [each.name, each])) as unknown as Offered;
}

export type Methods = typeof METHODS;
export type MethodName = keyof Methods;
/** What a caller gives: fields with a default may be left out. */
export type ParamsOf<Name extends MethodName> = z.input<Methods[Name]['params']>;
/** What a handler gets. */
export type CheckedParams<Name extends MethodName> = z.output<Methods[Name]['params']>;
export type ResultOf<Name extends MethodName> = z.output<Methods[Name]['result']>;

export type Notifications = typeof NOTIFICATIONS;
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
  TurnRecord,
  WaitingRecord,
} from '../../operations/index.ts';
export type { Method, Notification } from './method.ts';
export { NOTIFICATIONS };
