import { type EntryId, emptySummary, type Summary, type SummaryLine } from '../../record/index.ts';
import { readLine } from '../../summary/index.ts';
import { endsWide } from '../../text/index.ts';
import { USER_MARK } from './carry-earlier.ts';
import type { DigestItem } from './rank-items.ts';

/** Facts of one message share a line, up to a length that can still be read. */
const LONGEST_LINE = 300;

interface BuildOptions {
  readonly background: string;
  /** Whether two sentences follow each other in an entry without a space. */
  readonly isGlued: (from: readonly EntryId[], one: string, other: string) => boolean;
}

/** The summary that says these items and nothing else; every list in conversation order. */
export function buildSummary(items: readonly DigestItem[], { background, isGlued }: BuildOptions): Summary {
  const summary = { ...emptySummary(), background };
  for (const item of [...items].sort((a, b) => a.order - b.order)) {
    if (item.section === 'files') summary.files.push(item.file);
    else if (item.section === 'ledger') summary.ledger.push(item.item);
    else {
      const { section, text, from } = item;
      const mark = section === 'facts' && item.byUser ? USER_MARK : '';
      const list = summary[section] ?? [];
      summary[section] = list;
      const line = readLine(mark + text, { from });
      if (section === 'facts' && !item.carried) joinFact(list, line, isGlued);
      else list.push(line);
    }
  }
  summary.overview = summary.goal?.[0]?.text ?? '';
  return summary;
}

function joinFact(list: SummaryLine[], line: SummaryLine, isGlued: BuildOptions['isGlued']): void {
  const last = list.at(-1);
  const isMarked = (text: string) => text.startsWith(USER_MARK);
  const same =
    last &&
    isMarked(last.text) === isMarked(line.text) &&
    last &&
    last.from.length === line.from.length &&
    last.from.every((id) => line.from.includes(id));
  if (last && same && last.text.length + line.text.length < LONGEST_LINE) {
    const more = isMarked(line.text) ? line.text.slice(USER_MARK.length) : line.text;
    last.text += `${gapOf(last, more, isGlued)}${more}`;
  } else list.push(line);
}

/** What stands between two sentences of one message on one line. */
function gapOf({ text, from }: SummaryLine, more: string, isGlued: BuildOptions['isGlued']): string {
  if (endsWide(text)) return isGlued(from, text, more) ? '' : ' … ';
  return /[.?!…:;]$/.test(text) ? ' ' : ' … ';
}
