import { ThroughlineError } from '../../errors.ts';
import type { EntryId, Parent, SessionId, SessionInfo, Totals } from '../../record/index.ts';
import type { StoredBody } from '../decode-entry.ts';
import type { Lease } from '../store.ts';
import type { Tally } from '../tally.ts';

// What a database would hold, as plain maps. Bodies are kept as encoded text and decoded on every read, so nothing a
// caller holds is shared with the store, and whatever the codec gets wrong shows here as well.

export interface Tables {
  readonly sessions: Map<SessionId, SessionRow>;
  readonly blobs: Map<string, BlobRow>;
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
  return { sessions: new Map(), blobs: new Map(), created: 0 };
}

export function rowOf({ sessions }: Tables, id: SessionId): SessionRow {
  const row = sessions.get(id);
  if (row) return row;
  throw new ThroughlineError('session-not-found', `No session "${id}".`, { details: { session: id } });
}

export function infoOf({ id, parent, createdAt, tally }: SessionRow): SessionInfo {
  return structuredClone({ id, ...(parent && { parent }), createdAt, ...tally });
}
