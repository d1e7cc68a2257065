import type { NumberedCompaction } from '../../../operations/compaction/index.ts';
import { sayTokenCount } from '../../../text/index.ts';
import { sayRetention } from './render-compaction.ts';

export function renderCompactions(session: string, all: readonly NumberedCompaction[]): string[] {
  if (all.length === 0)
    return [
      'This session has no compactions. Make one with "compact --here" in its chat, or in a shell:',
      `throughline compact ${session}`,
    ];
  return all.map(
    ({ number, level, covers, tokensBefore, tokensAfter, by, retention, status }) =>
      `${String(number).padStart(3)}  entries ${covers.from}–${covers.to}  ${sayTokenCount(tokensBefore)} → ${sayTokenCount(tokensAfter)}  level ${level}, by ${by.model ?? by.kind}  ${status}${by.kind === 'import' ? '' : `; ${sayRetention(retention)}`}`,
  );
}

/** The model's view of a compaction, which can differ from the request. */
export function renderStanding(
  { number, covers, status }: NumberedCompaction,
  all: readonly NumberedCompaction[],
): string {
  const standing = all.filter((other) => other.number !== number && other.status === 'collapsed');
  const front = standing.find((other) => holds(other.covers, covers));
  const inside = standing.filter((other) => holds(covers, other.covers));
  const sees = front
    ? `the model sees the summary of compaction ${front.number}, which covers it`
    : `the model sees ${inside.length === 0 ? 'its originals' : originalsAnd(inside)}`;
  switch (status) {
    case 'collapsed':
      return `Compaction ${number} is collapsed: the model sees its summary.`;
    case 'removed':
      return `Compaction ${number} was removed for good, so its summary does not come back: ${sees}.`;
    default:
      return `Compaction ${number} is ${status}: ${sees}.`;
  }
}

function holds(outer: NumberedCompaction['covers'], inner: NumberedCompaction['covers']): boolean {
  return outer.from <= inner.from && outer.to >= inner.to;
}

function originalsAnd(inside: readonly NumberedCompaction[]): string {
  const numbers = inside.map(({ number }) => number);
  const which = numbers.length === 1 ? `compaction ${numbers[0]}` : `compactions ${numbers.join(', ')}`;
  const summary = numbers.length === 1 ? 'the summary' : 'the summaries';
  return `${summary} of ${which}, and the originals of what is in none of them`;
}
