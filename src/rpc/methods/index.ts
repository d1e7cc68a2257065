import type { z } from 'zod';
import { OPERATIONS, type Operations } from '../../operations/index.ts';
import { aiContext } from './ai-context.ts';
import { aiSession } from './ai-session.ts';
import { aiTool } from './ai-tool.ts';
import { chatContext } from './chat-context.ts';
import { initialize } from './initialize.ts';
import { memory } from './memory.ts';
import { NOTIFICATIONS } from './notifications.ts';
import { search } from './search.ts';
import { server } from './server.ts';
import { turn } from './turn.ts';
import { watch } from './watch.ts';
import { work } from './work.ts';

/** Every method there is: the operations that RPC offers, and the methods about the connection itself. */
export const METHODS = {
  ...initialize,
  ...aiSession,
  ...turn,
  ...aiTool,
  ...aiContext,
  ...methodsOf(OPERATIONS),
  ...chatContext,
  ...watch,
  ...search,
  ...memory,
  ...work,
  ...server,
} as const;

function methodsOf(operations: typeof OPERATIONS): Operations {
  const offered = operations.filter(({ faces }) => faces.rpc);
  return Object.fromEntries(offered.map((each) => [each.name, each])) as unknown as Operations;
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
  MessageRecord,
  SessionRecord,
  TodoRecord,
  TurnRecord,
  WaitingRecord,
} from '../../operations/index.ts';
export type { LiveEvent } from './live-event.ts';
export type { Method, Notification } from './method.ts';
export { NOTIFICATIONS };
