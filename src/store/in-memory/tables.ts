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

export interface MemoryTables {
  readonly sessions: Map<SessionId, MemorySessionRow>;
  readonly blobs: Map<string, BlobRow>;
  /** When each session was purged that was. */
  readonly purged: Map<SessionId, number>;
  /** Counts up for ever: the order of creation, also after a purge. */
  created: number;
}

export interface MemorySessionRow {
  readonly id: SessionId;
  readonly order: number;
  readonly parent: Parent | undefined;
  readonly createdAt: number;
  readonly entries: MemoryEntryRow[];
  readonly byId: Map<EntryId, MemoryEntryRow>;
  tally: Tally;
  lease: Lease | undefined;
}

export interface MemoryEntryRow extends StoredBody {
  readonly at: number;
  readonly tokens: number;
  readonly kind: string;
  /** Along the lineage, up to and including this entry. */
  totals: Totals;
  readonly blobs: readonly string[];
}

interface BlobRow {
  readonly bytes: Uint8Array;
  /** How many times entries refer to it. */
  uses: number;
}

export function openTablesInMemory(): MemoryTables {
  return { sessions: new Map(), blobs: new Map(), purged: new Map(), created: 0 };
}

export function rowOfInMemory(tables: MemoryTables, id: SessionId): MemorySessionRow {
  const row = findSessionInMemory(tables, id);
  if (row) return row;
  const purgedAt = purgedTimeInMemory(tables, id);
  throw purgedAt === undefined ? sessionNotFound(id) : sessionGone(id, purgedAt);
}

export function findSessionInMemory({ sessions }: MemoryTables, id: SessionId): MemorySessionRow | undefined {
  return sessions.get(id) ?? sessions.get(canonicalSessionId(id));
}

/** When the session with this id was purged, if it was. */
export function purgedTimeInMemory({ purged }: MemoryTables, id: SessionId): number | undefined {
  return purged.get(id) ?? purged.get(canonicalSessionId(id));
}

export function infoOf({ id, parent, createdAt, tally }: MemorySessionRow): SessionInfo {
  return structuredClone({ id, ...(parent && { parent }), createdAt, ...tally });
}
