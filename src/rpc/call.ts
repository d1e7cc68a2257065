import type { SessionId, SessionInfo } from '../record/index.ts';
import { getSession } from '../session/index.ts';
import { type Access, isShown } from './access.ts';
import type { Connection } from './connection.ts';
import type { HandOver } from './dispatch/lanes.ts';
import { refused } from './error-codes.ts';
import type { CheckedParams, MethodName, ResultOf } from './methods/index.ts';
import type { Service } from './service.ts';
import type { Watches } from './watches.ts';

/** One call: who asks, on which line, and what there is to work with. */
export interface Call extends Service {
  readonly access: Access;
  /** Where notifications go; absent where only the answer can be sent. */
  readonly line: Line | undefined;
  /** The session with exactly this id, if it is within reach. */
  readonly find: (id: SessionId) => Promise<SessionInfo>;
  /** The same id, to append to: for a token that reaches everything it is read once. */
  readonly findToWrite: (id: SessionId) => Promise<SessionId>;
}

/** A connection and what it watches. */
export interface Line {
  readonly connection: Connection;
  readonly watches: Watches;
}

export type Handler<Name extends MethodName> = (
  params: CheckedParams<Name>,
  call: Call,
  /** To be called when the store has been asked to write: what was sent next may ask then. */
  handedOver: HandOver,
) => Promise<ResultOf<Name>> | ResultOf<Name>;

export function createCall(service: Service, access: Access, line?: Line): Call {
  const { store, conversations } = service;

  async function find(id: SessionId): Promise<SessionInfo> {
    // That a session is gone says that there was one, which is for tokens that reach everything.
    const info = access.projects === null ? await getSession(store, id) : await store.session(id);
    if (info && (await isShown(store, access, info))) return info;
    throw refused('session-not-found', `No session "${id.slice(0, 80)}".`, { session: id });
  }

  return {
    ...service,
    access,
    line,
    find,
    async findToWrite(asked) {
      if (access.projects === null && conversations.has(asked)) return asked;
      const { id } = await find(asked);
      if (conversations.size >= MOST_KNOWN) conversations.clear();
      conversations.add(id);
      return id;
    },
  };
}

const MOST_KNOWN = 10_000;
