import type { SessionId } from '../../../record/index.ts';

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
