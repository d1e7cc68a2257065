import type { EntryId } from '../../record/index.ts';
import type { FactStep, Memory, MemoryFact } from './read-memory.ts';

interface HistoryLine extends FactStep {
  readonly fact: EntryId;
  /** Absent for a proposal that was not accepted: its words were never written down. */
  readonly text?: string;
}

/** Everything that ever happened in a project's memory, oldest first. */
export function wholeHistory({ facts, judged }: Memory): HistoryLine[] {
  return inOrder([
    ...[...facts.values()].flatMap(linesOf),
    ...[...judged].flatMap(([fact, steps]) => steps.map((step) => ({ ...step, fact }))),
  ]);
}

/** Everything that happened to a fact, to those it stands in for and to those that took its place, oldest first. */
export function factHistory({ facts }: Memory, id: EntryId): HistoryLine[] {
  const family = new Map<EntryId, MemoryFact>();
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const fact = facts.get(next);
    if (!fact || family.has(next)) continue;
    family.set(next, fact);
    const successors = fact.steps.flatMap(({ step, entry }) => (step === 'superseded' ? [entry] : []));
    waiting.push(...fact.supersedes, ...successors);
  }
  return inOrder([...family.values()].flatMap(linesOf));
}

function linesOf({ id, text, steps }: MemoryFact): HistoryLine[] {
  return steps.map((step) => ({ ...step, fact: id, text }));
}

/** What an entry superseded comes before what it says. */
function inOrder(lines: readonly HistoryLine[]): HistoryLine[] {
  const last = ({ step }: HistoryLine) => (step === 'superseded' ? 0 : 1);
  return lines.toSorted((a, b) => a.seq - b.seq || last(a) - last(b));
}
