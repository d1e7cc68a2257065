import type { LedgerItem, Summary } from '../../record/index.ts';
import { renderSummary } from '../../summary/index.ts';
import { countText } from '../../tokens/index.ts';
import type { HardItem } from './hard-items.ts';

/** Together on one line they cost half of what they cost alone, and can still be read. */
const A_LINE = 8;

/**
 * The summary with missing items in its ledger, most important first, as many as fit: rendered, it has at most
 * `maxTokens`. A summary that is larger than that already comes back as it is.
 */
export function addMissing(summary: Summary, missing: readonly HardItem[], maxTokens: number): Summary {
  const withFirst = (count: number): Summary => ({
    ...summary,
    ledger: [...summary.ledger, ...toLedger(missing.slice(0, count))],
  });
  let [low, high] = [0, missing.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countText(renderSummary(withFirst(middle))) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return low === 0 ? summary : withFirst(low);
}

/** Items of one kind from one entry share a line. */
function toLedger(items: readonly HardItem[]): LedgerItem[] {
  const lines = new Map<string, { kind: string; entry: string; texts: string[] }[]>();
  for (const { kind, text, entry } of items) {
    const key = `${kind} ${entry}`;
    const group = lines.get(key) ?? [];
    lines.set(key, group);
    const last = group.at(-1);
    if (last && last.texts.length < A_LINE) last.texts.push(text);
    else group.push({ kind, entry, texts: [text] });
  }
  return [...lines.values()]
    .flat()
    .map(({ kind, entry, texts }) => ({ kind, entry, text: texts.join(', ') }));
}
