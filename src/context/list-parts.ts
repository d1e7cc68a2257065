import type { BuiltContext } from './context.ts';
import type { Piece, Share } from './piece.ts';

const SHARES: readonly Share[] = ['pinned', 'summary', 'messages', 'recall'];

/** Every part of the window by name, as the provider will count it; adds up to the window exactly. */
export function listParts(
  head: ReadonlyMap<string, number>,
  pieces: readonly Piece[],
  { tokens, window, reserve }: Pick<BuiltContext, 'tokens' | 'window' | 'reserve'>,
): BuiltContext['parts'] {
  const counts = new Map(head);
  for (const share of SHARES) counts.set(share, counts.get(share) ?? 0);
  for (const piece of pieces) counts.set(piece.share, counts.get(piece.share)! + piece.tokens);
  const names = [...counts.keys()];
  const shares = apportion([...counts.values()], tokens);
  return [
    ...names.map((part, index) => ({ part, tokens: shares[index]! })),
    { part: 'reserve', tokens: reserve },
    { part: 'free', tokens: window - reserve - tokens },
  ];
}

/** Whole numbers in these proportions that add up to `total`: what rounding leaves goes where most was lost. */
function apportion(counts: readonly number[], total: number): number[] {
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === total) return [...counts];
  const exact = counts.map((count) => (sum === 0 ? 0 : (count * total) / sum));
  const shares = exact.map(Math.floor);
  const missing = total - shares.reduce((all, share) => all + share, 0);
  const byLoss = exact.map((value, index) => ({ index, loss: value - shares[index]! }));
  byLoss.sort((a, b) => b.loss - a.loss || a.index - b.index);
  for (const { index } of byLoss.slice(0, missing)) shares[index]! += 1;
  return shares;
}
