import type { SessionId, UnknownBody } from '../../../record/index.ts';
import { type EncodedEntry, encodeEntry } from '../../entry-format.ts';
import type { SweepOptions } from '../../store.ts';
import type { FoundRow } from './find-rows.ts';
import type { DamagedBySession, SessionPlan } from './plan-sessions.ts';
import type { Directory } from './read-directory.ts';

/**
 * Stands where an entry was lost, so that the entries after it keep their numbers and whatever refers to those (forks,
 * compactions, marks) stays right. Readers see it as an entry of an unknown kind.
 */
export function lostEntry(seq: number, { reason, at }: { reason: string; at: number }): EncodedEntry {
  const body: UnknownBody = { kind: 'unknown', was: 'lost', value: { kind: 'lost', seq, reason } };
  return encodeEntry({ body }, at);
}

/** Something that was there and could not be saved. */
export interface Unreadable {
  session?: SessionId;
  seq?: number;
  /** The last of several entries in a row that were lost for the same reason. */
  upTo?: number;
  reason: string;
}

export interface LossList {
  readonly list: Unreadable[];
  /** How many entries are lost. */
  entries(): number;
  add(loss: Unreadable): void;
  addEntry(session: SessionId, seq: number, reason: string): void;
}

/** Collects losses; neighbours that were lost for one reason are one line, as one hole usually takes many. */
export function createLossList(): LossList {
  const list: Unreadable[] = [];
  let entries = 0;
  return {
    list,
    entries: () => entries,
    add: (loss) => void list.push(loss),
    addEntry(session, seq, reason) {
      entries++;
      const last = list.at(-1);
      const follows = last?.session === session && last.reason === reason && last.seq !== undefined;
      if (follows && (last.upTo ?? last.seq) === seq - 1) last.upTo = seq;
      else list.push({ session, seq, reason });
    },
  };
}

const PAGES_NAMED = 20;

/** Names losses besides the entries that a placeholder stands for. */
export function reportLosses(
  losses: LossList,
  {
    found,
    plans,
    damaged,
    directory,
  }: { found: FoundRow; plans: readonly SessionPlan[]; damaged: DamagedBySession; directory: Directory },
): void {
  const keys = new Set(plans.map(({ key }) => key));
  const ids = new Set(plans.map(({ id }) => id));
  for (const id of directory.names.values()) {
    if (!ids.has(id)) losses.add({ session: id, reason: 'nothing of it was found but its name' });
  }
  for (const [key, entries] of damaged) {
    if (keys.has(key)) continue;
    for (const [seq, reason] of entries) losses.add({ seq, reason: `${reason}; its session is not known` });
  }
  for (const hash of found.damagedBlobs) {
    losses.add({ reason: `blob ${hash} is damaged: its bytes do not match its hash` });
  }
  const { pages } = found.lost;
  if (pages.length === 0) return;
  const named = pages.slice(0, PAGES_NAMED).join(', ') + (pages.length > PAGES_NAMED ? ', …' : '');
  const which = pages.length === 1 ? `page ${named}` : `${pages.length} pages of the file (${named})`;
  losses.add({ reason: `not all of ${which} could be read` });
}

/** Finding, writing, rebuilding and checking. */
const PHASES = ['find', 'write', 'rebuild', 'verify'] as const;
type Phase = (typeof PHASES)[number];

export interface Progress {
  /** To be called with how much of the phase is done, 0 to 1. */
  phase(name: Phase): (fraction: number) => void;
  /** The same for the sweeps of a store, which count entries. */
  sweep(name: Phase): (sweep: { readonly done: number; readonly total: number }) => void;
}

/** All phases as one count of pages, because how many entries there are is known only halfway. */
export function countProgress(pages: number, onProgress: SweepOptions['onProgress']): Progress {
  const phase = (name: Phase) => (fraction: number) => {
    const done = Math.floor((PHASES.indexOf(name) + Math.min(1, fraction)) * pages);
    onProgress?.({ done, total: PHASES.length * pages });
  };
  return {
    phase,
    sweep: (name) => (sweep) => phase(name)(sweep.total === 0 ? 1 : sweep.done / sweep.total),
  };
}
