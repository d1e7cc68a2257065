import { ThroughlineError } from '../../errors.ts';
import { EMPTY_STATE, forkState, type SessionInfo } from '../../record/index.ts';
import { checkNewSession } from '../check-new-session.ts';
import type { EncodedEntry } from '../encode-entry.ts';
import type { NewSession } from '../store.ts';
import { emptyTally, NO_TOTALS } from '../tally.ts';
import { appendEntries } from './append-entries.ts';
import { rowOf } from './lineage.ts';
import { standAt } from './stand-at.ts';
import type { Tables } from './tables.ts';

export function createSession(
  tables: Tables,
  session: NewSession,
  { entries, now }: { entries: readonly EncodedEntry[]; now: number },
): SessionInfo {
  checkNewSession(session);
  const { id, parent, createdAt } = session;
  const born = { head: 0, createdAt: createdAt ?? now, totals: NO_TOTALS, state: EMPTY_STATE };
  if (parent) Object.assign(born, inherit(tables, parent));
  const tally = emptyTally(born);
  const key = tables.sessions.insert({ id, parent, createdAt: born.createdAt }, tally);
  if (key === undefined) {
    throw new ThroughlineError(
      'session-exists',
      `There is a session "${id}" already. Open it, or choose another id.`,
      { details: { session: id } },
    );
  }
  if (born.state.tags.length > 0) tables.tags.replace(key, born.state.tags);
  if (entries.length === 0) return { id, createdAt: born.createdAt, ...(parent && { parent }), ...tally };
  appendEntries(tables, id, entries, { options: {}, now });
  return withoutKey(rowOf(tables, id));
}

/** A fork starts where its parent stood after `seq`; a resumed session starts empty. */
function inherit(tables: Tables, { session, relation, seq }: NonNullable<NewSession['parent']>) {
  const parent = rowOf(tables, session);
  if (!Number.isInteger(seq) || seq < 0 || seq > parent.head) {
    throw new ThroughlineError(
      'entry-not-found',
      `Session "${session}" has ${parent.head} entries, so there is no entry ${seq} to go on from.`,
      { details: { session, seq, head: parent.head } },
    );
  }
  if (relation === 'resume') return {};
  if (seq === parent.head) return { head: seq, totals: parent.totals, state: forkState(parent.state) };
  const { totals, state } = standAt(tables, parent, seq);
  return { head: seq, totals, state: forkState(state) };
}

/** Row keys never leave the backend. */
export function withoutKey<T extends SessionInfo & { key: number; damaged?: true }>({
  key: _,
  damaged: __,
  ...info
}: T): SessionInfo {
  return info as SessionInfo;
}
