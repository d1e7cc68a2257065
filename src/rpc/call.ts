import { type Access, type App, createApp } from '../operations/index.ts';
import type { SessionId } from '../record/index.ts';
import type { Connection } from './connection.ts';
import type { HandOver } from './dispatch/lanes.ts';
import type { CheckedParams, MethodName, ResultOf } from './methods/index.ts';
import type { Service } from './service.ts';
import type { Watches } from './watches.ts';

/** One caller: the app that operations run with, and the line that the answers go to. */
export interface Call extends Omit<Service, keyof App>, App {
  /** Where notifications go; absent where only the answer can be sent. */
  readonly line: Line | undefined;
}

/** A connection and what it watches. */
export interface Line {
  readonly connection: Connection;
  readonly watches: Watches;
}

export type Handler<Name extends MethodName> = (
  params: CheckedParams<Name>,
  call: Call,
  /** To be called when the store has been asked to write: the next request may ask then. */
  handedOver: HandOver,
) => Promise<ResultOf<Name>> | ResultOf<Name>;

export function createCall(service: Service, access: Access, line?: Line): Call {
  const { store, env, sessions, index, desks, runs, found } = service;
  const isRunning = (id: SessionId) => runs.isRunning(id);
  const app = createApp(store, { access, env, sessions, index, desks, isRunning, found });
  return { ...service, ...app, line };
}
