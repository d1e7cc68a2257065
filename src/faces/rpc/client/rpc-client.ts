import type { LiveEvent } from '../../../operations/index.ts';
import type {
  MethodName,
  NotificationName,
  NotificationParams,
  ParamsOf,
  ResultOf,
} from '../methods/index.ts';
import type { RpcError } from './rpc-error.ts';

/** The parameters of a call; they may be left out where none has to be given. */
export type CallParams<Name extends MethodName> =
  Record<never, never> extends ParamsOf<Name> ? [params?: ParamsOf<Name>] : [params: ParamsOf<Name>];

/** A server as its callers see it, whatever lies between. */
export interface RpcClient {
  /** Says who this is, and learns what the server can do. A server without a version in common is `protocol-unsupported`. */
  initialize(client: { readonly name: string; readonly version?: string }): Promise<ResultOf<'initialize'>>;
  /** Fails with an `RpcError`. */
  call<Name extends MethodName>(method: Name, ...params: CallParams<Name>): Promise<ResultOf<Name>>;
  /** Goes on from the last entry seen after every disconnect, until it is closed. */
  watch(sessionId: string, options: WatchOptions): Watch;
  /** Which sessions change, anywhere; goes on after every disconnect, until it is closed. */
  watchSessions(options: WatchSessionsOptions): Pick<Watch, 'close'>;
  close(): void;
}

export interface WatchSessionsOptions {
  /** It has begun, for the first time or again: earlier changes are not reported, so read the list now. */
  readonly onStart?: () => void;
  readonly onChange?: (change: Omit<NotificationParams<'sessions/changed'>, 'watchId'>) => void;
  /** The server will not have it, or has no such thing. */
  readonly onEnd?: (why: { readonly code: string; readonly message: string }) => void;
}

export interface WatchOptions {
  /** The last entry that you have; without it, only new entries. */
  readonly after?: number;
  readonly live?: boolean;
  readonly notes?: boolean;
  /** Each entry once, in order. */
  readonly onEntry?: (entry: NotificationParams<'session/entry'>['entry']) => void;
  readonly onEvent?: (event: LiveEvent, about: { readonly turn: string; readonly index: number }) => void;
  readonly onCaughtUp?: (cursor: number) => void;
  /** The watch is over: the session is gone, or may not be seen. */
  readonly onEnd?: (why: { readonly code: string; readonly message: string }) => void;
}

export interface Watch {
  /** The last entry seen. */
  readonly cursor: number | undefined;
  close(): void;
}

export type OnNotification = <Name extends NotificationName>(
  name: Name,
  params: NotificationParams<Name>,
) => void;

/** A watch that outlives its connections: it knows where it was, and asks from there. */
export interface FollowingUpdates {
  readonly method: 'session/watch' | 'sessions/watch';
  readonly closed: boolean;
  /** What to ask the server for on a new connection. */
  params(): object;
  /** The server has begun it under this name. */
  began(result: unknown): void;
  /** The server will not have it. */
  refused(error: RpcError): void;
  hear(name: NotificationName, params: unknown): void;
  /** The connection is gone. */
  lost(): void;
  close(): void;
}
