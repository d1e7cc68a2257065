import { type Access, type App, createAppOperation } from '../../operations/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { RpcConnection } from './connection.ts';
import { describeInterface } from './describe-interface.ts';
import { METHODS, type Method } from './methods/index.ts';
import type { Service } from './service.ts';
import type { Watches } from './watches.ts';

/** One caller: the app that operations run with, and the line that the answers go to. */
export interface RpcCall extends Omit<Service, keyof App>, App {
  /** Where notifications go; absent where only the answer can be sent. */
  readonly line: Line | undefined;
  /** Every method of the interface, and the document that describes them: some methods are about all of them. */
  readonly methods: readonly Method[];
  readonly describe: () => ReturnType<typeof describeInterface>;
}

/** A connection and what it watches. */
interface Line {
  readonly connection: RpcConnection;
  readonly watches: Watches;
}

export function createCall(service: Service, access: Access, line?: Line): RpcCall {
  const { store, env, sessions, index, desks, runs, found } = service;
  const isRunning = (id: SessionId) => runs.isRunning(id);
  const app = createAppOperation(store, { access, env, sessions, index, desks, isRunning, found });
  const methods = Object.values(METHODS) as unknown as readonly Method[];
  return { ...service, ...app, line, methods, describe: () => describeInterface(service.version) };
}
