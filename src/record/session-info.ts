import type { Seq } from './seq.ts';
import type { SessionId } from './session-id.ts';
import type { SessionState } from './session-state.ts';
import type { Usage } from './usage.ts';

/** How a session came from another: sharing its log up to `seq`, or starting from its summary. */
export interface Parent {
  readonly session: SessionId;
  readonly relation: 'fork' | 'resume';
  /** The last entry of the parent that the fork shares, or the parent's head when it was resumed. */
  readonly seq: Seq;
}

/** Counted along the whole lineage, so a fork shows the length of the conversation one sees in it. */
export interface Totals {
  readonly messages: number;
  /** User messages. */
  readonly queries: number;
  readonly tokens: number;
}

/** A session as lists show it: how it was born, and what its log adds up to. */
export interface SessionInfo {
  readonly id: SessionId;
  readonly parent?: Parent;
  readonly createdAt: number;
  /** When something was last said; marks and settings do not move a session up the list. */
  readonly updatedAt: number;
  readonly head: Seq;
  readonly totals: Totals;
  /** The session's own calls: a fork does not count its parent's again. */
  readonly usage: Usage;
  readonly state: SessionState;
}

/** Where a session is kept for people. Archiving hides it, the trash precedes purging; neither deletes anything. */
export type Place = 'active' | 'archived' | 'trashed';
export const PLACES: readonly Place[] = ['active', 'archived', 'trashed'];

export function placeOf(state: SessionState): Place {
  if (state.trashedAt !== undefined) return 'trashed';
  return state.archived ? 'archived' : 'active';
}

/**
 * Where a session is listed. The log of a project's memory, or of its board, is no conversation, so it is in a separate list;
 * in the trash it is with everything else.
 */
export type StoredPlace = Place | 'memory';
export const STORED_PLACES: readonly StoredPlace[] = [...PLACES, 'memory'];

export function storedPlaceOf(state: SessionState): StoredPlace {
  const place = placeOf(state);
  const { reserved } = state.settings;
  return (reserved === 'memory' || reserved === 'work') && place !== 'trashed' ? 'memory' : place;
}
