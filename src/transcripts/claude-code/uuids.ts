import { textOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';

// Lines name the line they follow. Most of that is noise: progress and hooks hang on the same line as the answer, and
// each tool result on its own call. Only where a person asks something behind an earlier line is there another branch.

export interface Uuids {
  add(uuid: string): void;
  /** The line belongs to the entry of another line. */
  alias(line: Fields, first: Fields): void;
  /** A person has spoken: the earlier line is behind. */
  newTurn(): void;
  /** What a line follows, if that is not where we are. `strict`: anything before the last prompt is elsewhere. */
  follows(line: Fields, options: { strict: boolean }): string | null | undefined;
  isRecent(uuid: string): boolean;
  isRepeated(uuid: string): boolean;
}

/** How many names are remembered. An older parent without a line counts as missing. */
const MOST_NAMES = 50_000;

export function createUuids(): Uuids {
  let turn = new Set<string>();
  let lastTurn = new Set<string>();
  const seen = new Set<string>();
  const firsts = new Map<string, string>();

  return {
    add(uuid) {
      turn.add(uuid);
      seen.add(uuid);
      forget(turn);
      forget(seen);
    },
    alias({ uuid }, first) {
      if (typeof uuid === 'string') firsts.set(uuid, String(first.uuid));
      forget(firsts);
    },
    newTurn() {
      lastTurn = turn;
      turn = new Set();
    },
    follows({ parentUuid }, { strict }) {
      if (parentUuid === null) return strict ? null : undefined;
      const parent = textOf(parentUuid);
      if (parent === undefined || turn.has(parent) || (!strict && lastTurn.has(parent))) return undefined;
      return firsts.get(parent) ?? parent;
    },
    isRecent: (uuid) => turn.has(uuid) || lastTurn.has(uuid),
    isRepeated: (uuid) => seen.has(uuid),
  };
}

/** Drops the oldest half once there are too many. */
function forget(names: Set<string> | Map<string, string>): void {
  if (names.size <= MOST_NAMES) return;
  let left = names.size - MOST_NAMES / 2;
  for (const name of names.keys()) {
    if (left-- <= 0) return;
    names.delete(name);
  }
}
