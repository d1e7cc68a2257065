import type { LedgerItem, SummaryFile } from '../../record/index.ts';
import { onlyLooks } from '../ledger/index.ts';

/** The worth of the newest of a kind to a successor. */
const USEFUL: Readonly<Record<string, number>> = {
  command: 2.4,
  error: 2.4,
  url: 1.8,
  identifier: 1.4,
  figure: 0.4,
};
/** Each older one of the same kind tells a little less; further lines of the same run much less. */
const OLDER = 0.08;
const SAME_RUN = 0.5;

/** Ledger items from the most to the least useful; kinds take turns, each newest first. */
export function orderLedger(ledger: readonly LedgerItem[]): LedgerItem[] {
  const runs = new Map<string, number>();
  const place = ledger.map(({ kind, entry }) => {
    const before = runs.get(`${kind} ${entry}`) ?? 0;
    runs.set(`${kind} ${entry}`, before + 1);
    return before;
  });
  const newer = new Map<string, number>();
  const scored: { item: LedgerItem; score: number }[] = [];
  for (let index = ledger.length - 1; index >= 0; index--) {
    const item = ledger[index]!;
    const { kind } = item;
    // A file that was only read can be read again.
    if (kind === 'command' && onlyLooks(item.text)) continue;
    const rank = newer.get(kind) ?? 0;
    newer.set(kind, rank + 1);
    scored.push({ item, score: (USEFUL[kind] ?? 1) - rank * OLDER - place[index]! * SAME_RUN });
  }
  return scored.sort((a, b) => b.score - a.score).map(({ item }) => item);
}

const CHANGES = new Set(['written', 'edited', 'created', 'deleted', 'moved']);

/** Changed files first, newest first; then reads. Searches can be repeated. */
export function orderFiles(files: readonly SummaryFile[]): SummaryFile[] {
  const newest = files
    .filter(({ operations }) => operations.some((name) => name !== 'searched'))
    .toReversed();
  const changed = newest.filter(({ operations }) => operations.some((name) => CHANGES.has(name)));
  return [...changed, ...newest.filter((file) => !changed.includes(file))];
}
