import type { NotificationName } from '../methods/index.ts';
import type { RpcError } from './rpc-error.ts';

/** A watch that outlives its connections: it knows where it was, and asks from there. */
export interface Following {
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
