import { type SessionId, type SessionInfo, storedPlaceOf } from '../record/index.ts';
import { findSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Access, reachesSession } from './access.ts';
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
  /** The session that is meant, if it is within reach. */
  readonly find: (reference: string) => Promise<SessionInfo>;
  /** Its id, to append to: for whoever may see everything it is looked up once. */
  readonly findToWrite: (reference: string) => Promise<SessionId>;
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

  async function find(reference: string): Promise<SessionInfo> {
    const info = await lookUp(store, access, reference);
    // The log of a project's memory is nobody's conversation: it has methods of its own.
    const isShown =
      info !== undefined &&
      storedPlaceOf(info.state) !== 'memory' &&
      (await reachesSession(store, access, info));
    if (isShown) return info;
    throw refused('session-not-found', `No session "${reference.slice(0, 80)}".`, { session: reference });
  }

  return {
    ...service,
    access,
    line,
    find,
    async findToWrite(reference) {
      if (access.projects === null && conversations.has(reference)) return reference;
      const { id } = await find(reference);
      if (conversations.size >= MOST_KNOWN) conversations.clear();
      conversations.add(id);
      return id;
    },
  };
}

const MOST_KNOWN = 10_000;

/** Looking by the start of an id or by a title says what else there is, so whoever may not see everything gives the id. */
function lookUp(store: Store, { projects }: Access, reference: string): Promise<SessionInfo | undefined> {
  return projects === null ? findSession(store, reference, { trashed: true }) : store.session(reference);
}
