import {
  canonicalSessionId,
  type EntryId,
  type Parent,
  type SessionId,
  type SessionInfo,
  type Totals,
} from '../../record/index.ts';
import type { StoredBody } from '../entry-format.ts';
import { sessionGone, sessionNotFound } from '../session-errors.ts';
import type { Lease } from '../store.ts';
import type { Tally } from '../tally.ts';

// What a database would hold, as plain maps. Bodies are kept as encoded text and decoded on every read, so nothing a
// caller holds is shared with the store, and whatever the codec gets wrong shows here as well.

export interface Tables {
  readonly sessions: Map<SessionId, SessionRow>;
  readonly blobs: Map<string, BlobRow>;
  /** When each session was purged that was. */
  readonly purged: Map<SessionId, number>;
  /** Counts up for ever: the order of creation, also after a purge. */
  created: number;
}

export interface SessionRow {
  readonly id: SessionId;
  readonly order: number;
  readonly parent: Parent | undefined;
  readonly createdAt: number;
  readonly entries: EntryRow[];
  readonly byId: Map<EntryId, EntryRow>;
  tally: Tally;
  lease: Lease | undefined;
}

export interface EntryRow extends StoredBody {
  readonly at: number;
  readonly tokens: number;
  readonly kind: string;
  /** Along the lineage, up to and including this entry. */
  totals: Totals;
  readonly blobs: readonly string[];
}

export interface BlobRow {
  readonly bytes: Uint8Array;
  /** How many times entries refer to it. */
  uses: number;
}

export function openTables(): Tables {
  return { sessions: new Map(), blobs: new Map(), purged: new Map(), created: 0 };
}

export function rowOf(tables: Tables, id: SessionId): SessionRow {
  const row = findSession(tables, id);
  if (row) return row;
  const purgedAt = purgedTime(tables, id);
  throw purgedAt === undefined ? sessionNotFound(id) : sessionGone(id, purgedAt);
}

export function findSession({ sessions }: Tables, id: SessionId): SessionRow | undefined {
  return sessions.get(id) ?? sessions.get(canonicalSessionId(id));
}

/** When the session with this id was purged, if it was. */
export function purgedTime({ purged }: Tables, id: SessionId): number | undefined {
  return purged.get(id) ?? purged.get(canonicalSessionId(id));
}

export function infoOf({ id, parent, createdAt, tally }: SessionRow): SessionInfo {
  return structuredClone({ id, ...(parent && { parent }), createdAt, ...tally });
}
