import { emptySummary, type Summary, type SummaryLine } from '../../record/index.ts';
import { USER_MARK } from './carry-earlier.ts';
import type { Item } from './rank-items.ts';
import type { Source, Units } from './unit-rows.ts';

/** Rows this near to each other in one message share a line, up to a length that can still be read. */
const NEAR = 3;
const LONGEST_LINE = 400;

/** The summary that says these items and nothing else; every list in conversation order. */
export function buildSummary(
  items: readonly Item[],
  { background, units, sources }: { background: string; units: Units; sources: readonly Source[] },
): Summary {
  const summary = { ...emptySummary(), background };
  const facts: Item[] = [];
  for (const item of [...items].sort((a, b) => a.order - b.order)) {
    switch (item.section) {
      case 'overview':
        summary.overview = item.text;
        break;
      case 'facts':
        facts.push(item);
        break;
      case 'files':
        summary.files.push(item.file);
        break;
      case 'ledger':
        summary.ledger.push(item.item);
        break;
      default:
        summary[item.section].push({ text: item.line.text, from: [...item.line.from] });
    }
  }
  summary.facts = joinRows(facts, { units, sources });
  return summary;
}

function joinRows(
  facts: readonly Item[],
  { units, sources }: { units: Units; sources: readonly Source[] },
): SummaryLine[] {
  const lines: SummaryLine[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { text, order: row, from } of facts) {
    const line = lines.at(-1);
    const near = row - last <= NEAR && units.source[row] === units.source[last];
    last = row;
    if (line && near && line.text.length + text.length <= LONGEST_LINE) {
      line.text += `${/[?!…。！？｡]$/.test(line.text) ? '' : '.'} ${text}`;
    } else {
      const mark = sources[units.source[row]!]!.by === 'user' ? USER_MARK : '';
      lines.push({ text: mark + text, from: [...from] });
    }
  }
  return lines;
}
