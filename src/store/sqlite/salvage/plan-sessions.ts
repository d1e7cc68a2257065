import { deriveSessionId, type Parent, type SessionId } from '../../../record/index.ts';
import type { FoundLog, FoundRow } from './find-rows.ts';
import type { Directory } from './read-directory.ts';

/** A session of the new store: its entries, and the numbers in `(after, upTo]` that have none. */
export interface SessionPlan {
  readonly id: SessionId;
  /** The key it had; its damaged entries are known by it. */
  readonly key?: number;
  /** The last number of its log, as its row and the index have it. The row of the session last written to may be old. */
  readonly head?: number;
  parent?: Parent;
  createdAt?: number;
  after: number;
  upTo: number;
  entries: readonly PlacedEntry[];
  /** What to tell about the session as a whole. */
  readonly notes: string[];
}

/** An id that neither starts one of those taken nor is started by one. It follows from the name. */
export function freeSalvageId(name: SessionId, taken: Iterable<SessionId>): SessionId {
  const others = [...taken];
  for (let attempt = 1; ; attempt++) {
    const id = attempt === 1 ? name : deriveSessionId(name, attempt);
    const collides = others.some((other) => other.startsWith(id) || id.startsWith(other));
    if (!collides || (attempt > 100 && !others.includes(id))) return id;
  }
}

/** By session key and seq, why an entry that is there cannot be read. */
export type DamagedBySession = ReadonlyMap<number, ReadonlyMap<number, string>>;

interface Planning extends Pick<LogEvidence, 'room' | 'same'> {
  readonly damaged: DamagedBySession;
}

/** Which sessions to write, parents before their forks. Every entry that was found is in one of them. */
export function planSessions(found: FoundRow, directory: Directory, planning: Planning): SessionPlan[] {
  const plans = new Map<SessionId, SessionPlan>();
  const strays = new Map<number, readonly PlacedEntry[]>();
  const rows = [...found.sessions.values()];
  const reserved = new Set([
    ...directory.names.values(),
    ...rows.map(({ id }) => id),
    ...found.purged.keys(),
  ]);
  const parents = new Set(rows.map(({ parent }) => parent?.session));
  const freeId = (key: number) =>
    freeSalvageId(
      `salvaged_${key}`,
      [...reserved, ...plans.keys(), ...parents].filter((id) => id !== undefined),
    );

  for (const key of keysToSave(found, directory, planning.damaged)) planSession(key);
  for (const plan of [...plans.values()]) addLostParent(plan);
  for (const plan of plans.values()) if (isInCircle(plan, plans)) detach(plan);
  for (const plan of plans.values()) layOut(plan);
  // Detaching one fork may move the end of a log that another was made from; each round detaches at least one.
  while ([...plans.values()].some((plan) => !reachForkPoint(plan)))
    for (const plan of plans.values()) layOut(plan);
  for (const [key, entries] of strays) addStrays(key, entries);
  return parentsFirst(plans);

  function planSession(key: number): void {
    const row = found.sessions.get(key);
    const name = directory.names.get(key);
    // Where the row and the index disagree, the one is right that forks were made under.
    const known = !row || (name !== undefined && parents.has(name) && !parents.has(row.id)) ? name : row.id;
    const id = known !== undefined && !plans.has(known) ? known : freeId(key);
    plans.set(id, {
      id,
      key,
      after: 0,
      upTo: 0,
      entries: [],
      head: Math.max(row?.head ?? 0, found.heads.get(key) ?? 0),
      ...(row && { createdAt: row.createdAt }),
      ...(row?.parent && { parent: row.parent }),
      notes: row ? [] : ['its row was lost, and with it where it came from and when it began'],
    });
    const other = row?.id === id ? name : row?.id;
    if (row && other !== undefined && other !== id) plans.get(id)!.notes.push(`it is also called "${other}"`);
  }

  /** A fork needs a parent to share with, if only one full of gaps. */
  function addLostParent(plan: SessionPlan): void {
    const { parent, createdAt } = plan;
    if (parent?.relation !== 'fork' || plans.has(parent.session)) return;
    if (parent.seq > planning.room) {
      detach(plan);
      return;
    }
    const notes = [`nothing of it was found but its fork "${plan.id}"`];
    const born = createdAt === undefined ? {} : { createdAt };
    plans.set(parent.session, { id: parent.session, after: 0, upTo: 0, entries: [], notes, ...born });
  }

  function layOut(plan: SessionPlan): void {
    plan.after = plan.parent?.relation === 'fork' ? plan.parent.seq : 0;
    const { after, key = 0, head = 0 } = plan;
    const damaged = new Set(planning.damaged.get(key)?.keys());
    const layout = layOutLog(found.logs.get(key)?.entries ?? [], { ...planning, after, damaged, head });
    plan.entries = layout.entries;
    plan.upTo = layout.upTo;
    strays.delete(key);
    if (layout.strays.length > 0) strays.set(key, layout.strays);
  }

  /** The parent's log has to go as far as the fork says it does, or the fork was not made from it. */
  function reachForkPoint(plan: SessionPlan): boolean {
    const parent = forkedFrom(plan, plans);
    if (!parent || plan.after <= parent.upTo) return true;
    if (plan.after - parent.upTo > planning.room) {
      detach(plan);
      return false;
    }
    parent.upTo = plan.after;
    return true;
  }

  function addStrays(key: number, entries: readonly PlacedEntry[]): void {
    const note = `${entries.length} of its entries had no place in their log and were numbered anew`;
    const anew = { upTo: entries.length, entries: entries.map(({ place }, at) => ({ seq: at + 1, place })) };
    const empty = [...plans.values()].find((plan) => plan.key === key && plan.upTo === 0 && !plan.parent);
    if (empty) {
      Object.assign(empty, anew);
      empty.notes.push(note);
      return;
    }
    const id = freeId(key);
    plans.set(id, { id, after: 0, ...anew, notes: [note] });
  }
}

/**
 * Sessions that are known to have been there. A row or an entry in a damaged page may be what a purge left behind: it counts if
 * the index still names its session, or if session rows are lost, which leaves open the purged sessions.
 */
function keysToSave(
  { sessions, logs, purged }: FoundRow,
  { names, complete }: Directory,
  damaged: DamagedBySession,
): number[] {
  const keys = new Set<number>();
  const isPurged = (key: number) => {
    const row = sessions.get(key);
    return row !== undefined && !row.certain && !names.has(key) && purged.has(row.id);
  };
  for (const [key, { id, certain }] of sessions) {
    if (certain || (!complete && (names.get(key) === id || logs.get(key)?.certain))) keys.add(key);
  }
  for (const key of names.keys()) if (damaged.has(key)) keys.add(key);
  for (const [key, { certain }] of logs)
    if (certain || (!complete && !isPurged(key)) || names.has(key)) keys.add(key);
  return [...keys].sort((a, b) => a - b);
}

function isInCircle(plan: SessionPlan, plans: ReadonlyMap<SessionId, SessionPlan>): boolean {
  const seen = new Set<SessionPlan>();
  for (let at = forkedFrom(plan, plans); at && !seen.has(at); at = forkedFrom(at, plans)) {
    if (at === plan) return true;
    seen.add(at);
  }
  return false;
}

function detach(plan: SessionPlan): void {
  plan.notes.push(`its place in the lineage of "${plan.parent?.session}" could not be kept`);
  delete plan.parent;
}

function forkedFrom({ parent }: SessionPlan, plans: ReadonlyMap<SessionId, SessionPlan>) {
  return parent?.relation === 'fork' ? plans.get(parent.session) : undefined;
}

function parentsFirst(plans: ReadonlyMap<SessionId, SessionPlan>): SessionPlan[] {
  const ordered = new Set<SessionPlan>();
  for (const plan of plans.values()) {
    const line: SessionPlan[] = [];
    for (let at: SessionPlan | undefined = plan; at && !ordered.has(at); at = forkedFrom(at, plans))
      line.push(at);
    for (const each of line.reverse()) ordered.add(each);
  }
  return [...ordered];
}

export type PlacedEntry = FoundLog['entries'][number];

interface LogLayout {
  /** In order, each number once, none at or before `after`. */
  readonly entries: readonly PlacedEntry[];
  /** The last entry that there was, whether or not it was found. */
  readonly upTo: number;
  /** Entries that cannot have had the number they are filed under, or not that alone. */
  readonly strays: readonly PlacedEntry[];
}

interface LogEvidence {
  /** Where the parent's part ends. */
  readonly after: number;
  /** The last number, as the session's row has it. */
  readonly head: number;
  /** Numbers under which something was found that cannot be read. */
  readonly damaged: ReadonlySet<number>;
  /** How many entries can have been lost at most. */
  readonly room: number;
  /** Whether two places hold the same entry. */
  readonly same: (a: PlacedEntry, b: PlacedEntry) => boolean;
}

/**
 * Puts entries where their numbers say. The number is not covered by the checksum, so it is believed only as far as it
 * can be true: one damaged digit must not make a log of a billion lost entries.
 */
function layOutLog(
  found: readonly PlacedEntry[],
  { after, head, damaged, room, same }: LogEvidence,
): LogLayout {
  const entries: PlacedEntry[] = [];
  const strays: PlacedEntry[] = [];
  let upTo = after;
  for (const entry of found.toSorted((a, b) => a.seq - b.seq)) {
    const last = entries.at(-1);
    if (last?.seq === entry.seq) {
      if (!same(last, entry)) strays.push(entry);
    } else if (entry.seq <= after || entry.seq - upTo > room + 1) strays.push(entry);
    else {
      entries.push(entry);
      upTo = entry.seq;
    }
  }
  if (head > upTo && head - upTo <= room) upTo = head;
  while (damaged.has(upTo + 1)) upTo++;
  return { entries, upTo, strays };
}
