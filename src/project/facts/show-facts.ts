import type { EntryId, FactSource } from '../../record/index.ts';
import {
  type Contradiction,
  type ContradictionKind,
  factKey,
  findContradictions,
} from './find-contradictions.ts';
import type { Memory, MemoryFact } from './read-memory.ts';

/** A fact as people and models see it: what several writers said in the same words is one line. */
export interface ShownFact extends MemoryFact {
  /** Later facts with the same text; they live and end with this one. */
  readonly repeats: readonly EntryId[];
  /** Everybody who said it, the first one first. */
  readonly sources: readonly FactSource[];
  readonly contradicts: readonly Contradicted[];
  /** A newer rival stands in for the same fact. It is shown to people, and models get the newer one alone. */
  readonly outdone: boolean;
}

interface Contradicted {
  readonly id: EntryId;
  readonly kind: ContradictionKind;
  /** The other one was written later: where both cannot hold, it does. */
  readonly newer: boolean;
}

/** What the project knows now, oldest first, contradictions included. */
export function showFacts({ facts }: Memory): ShownFact[] {
  const lines = new Map<string, MemoryFact[]>();
  for (const fact of facts.values()) {
    if (fact.status !== 'live') continue;
    const key = factKey(fact.text);
    const same = lines.get(key);
    if (same) same.push(fact);
    else lines.set(key, [fact]);
  }
  const firsts = [...lines.values()].map((same) => ({
    ...same[0]!,
    supersedes: same.flatMap(({ supersedes }) => supersedes),
  }));
  const contradicted = contradictedBy(findContradictions(firsts));
  return [...lines.values()].map(([first, ...repeats]) => {
    const contradicts = contradicted.get(first!.id) ?? [];
    return {
      ...first!,
      repeats: repeats.map(({ id }) => id),
      sources: [first!, ...repeats].map(({ source }) => source),
      contradicts,
      outdone: contradicts.some(({ kind, newer }) => kind === 'rivals' && newer),
    };
  });
}

function contradictedBy(contradictions: readonly Contradiction[]): Map<EntryId, Contradicted[]> {
  const found = new Map<EntryId, Contradicted[]>();
  const add = (id: EntryId, other: Contradicted) => {
    const known = found.get(id);
    if (known) known.push(other);
    else found.set(id, [other]);
  };
  for (const { older, newer, kind } of contradictions) {
    add(older, { id: newer, kind, newer: true });
    add(newer, { id: older, kind, newer: false });
  }
  return found;
}
