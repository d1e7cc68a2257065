import {
  type LedgerItem,
  SUMMARY_LISTS,
  type Summary,
  type SummaryFile,
  type SummaryLine,
} from '../../record/index.ts';
import { type DraftSection, type NamedLine, namedLines, repeatsGoal, toDraftLine } from './draft-lines.ts';

/** A line of a summary that is being changed. */
export interface Row extends Omit<NamedLine, 'name'> {
  readonly name?: string;
  /** What it was in the summary, while it is unchanged. */
  readonly was?: SummaryLine | SummaryFile | LedgerItem;
}

/** Every line beside its field in the summary, so that an untouched line keeps all of its fields, unknown ones included. */
export function rowsOf(summary: Summary): Row[] {
  const counts = new Map<DraftSection, number>();
  return namedLines(summary).map((line) => {
    const at = counts.get(line.section) ?? 0;
    counts.set(line.section, at + 1);
    const held = summary[line.section];
    return { ...line, ...(Array.isArray(held) && { was: held[at]! }) };
  });
}

/** The summary of these rows; parts that are not shown as lines stay as they were. */
export function buildDraftSummary(summary: Summary, rows: readonly Row[]): Summary {
  const of = (section: DraftSection) => rows.filter((row) => row.section === section);
  const textOf = (section: DraftSection) =>
    of(section)
      .map(({ text }) => text)
      .join('\n');
  const lists = SUMMARY_LISTS.flatMap((list) => {
    const lines = of(list).map((row) => row.was ?? toDraftLine(row));
    return lines.length > 0 || summary[list] ? [[list, lines]] : [];
  });
  const { foreign: _, ...rest } = summary;
  const keepsForeign = of('foreign').length > 0 || summary.foreign?.trim() === '';
  const changed: Summary = {
    ...rest,
    background: of('background').length > 0 ? textOf('background') : keptEmpty(summary.background),
    overview: of('overview').length > 0 ? textOf('overview') : keptEmpty(summary.overview),
    ...Object.fromEntries(lists),
    files: of('files').map((row) => (row.was as SummaryFile | undefined) ?? toFile(row)),
    ledger: of('ledger').map((row) => (row.was as LedgerItem | undefined) ?? toItem(row)),
    ...(keepsForeign && { foreign: summary.foreign }),
  };
  return repeatsGoal(summary) && of('overview').length === 0
    ? { ...changed, overview: changed.goal?.[0]?.text ?? '' }
    : changed;
}

/** A text that is not shown as a line was not dropped. */
function keptEmpty(text: string): string {
  return text.trim() === '' || text === 'Initial session.' ? text : '';
}

function toFile({ text, from }: Row): SummaryFile {
  const [, path = text, operations = ''] = /^(.*?)(?: \(([^()]*)\))?$/s.exec(text) ?? [];
  const names = operations.split(',').map((name) => name.trim());
  return { path, operations: names.filter(Boolean), ...(from.length > 0 && { from: [...from] }) };
}

function toItem({ text, from }: Row): LedgerItem {
  const [, kind = 'note', rest = text] = /^([^\s:]+): (.*)$/s.exec(text) ?? [];
  return { kind, text: rest, entry: from[0]! };
}
