import {
  type EntryId,
  SUMMARY_LISTS,
  type Summary,
  type SummaryLine,
  type SummaryList,
} from '../../record/index.ts';
import { readLine, sayLine } from '../../summary/index.ts';

/** Where a line of a draft stands: in a list, or as one of the texts around them. */
export const DRAFT_SECTIONS = [
  'background',
  'goal',
  'overview',
  ...SUMMARY_LISTS.filter((list) => list !== 'goal'),
  'files',
  'ledger',
  'foreign',
] as const satisfies readonly (SummaryList | keyof Summary)[];
export type DraftSection = (typeof DRAFT_SECTIONS)[number];

/** A line of a summary under its name, and what it is in the summary. */
export interface NamedLine {
  readonly name: string;
  readonly section: DraftSection;
  readonly text: string;
  readonly pinned: boolean;
  readonly from: readonly EntryId[];
}

export function isList(section: DraftSection): section is SummaryList {
  return (SUMMARY_LISTS as readonly string[]).includes(section);
}

/** The lines of a summary, named in the order in which they are shown. */
export function namedLines(summary: Summary): NamedLine[] {
  const lines = DRAFT_SECTIONS.flatMap((section) => linesIn(summary, section));
  return lines.map((line, index) => ({ name: `part-${index + 1}`, ...line }));
}

/** True if the overview only repeats the goal, as the digest writes it: it is not shown then, and follows the goal. */
export function repeatsGoal({ overview, goal }: Summary): boolean {
  return overview !== '' && overview === goal?.[0]?.text;
}

type Line = Omit<NamedLine, 'name'>;

function linesIn(summary: Summary, section: DraftSection): Line[] {
  const textLine = (text: string | undefined): Line[] =>
    text?.trim() ? [{ section, text, pinned: false, from: [] }] : [];
  switch (section) {
    case 'background':
      return textLine(summary.background === 'Initial session.' ? '' : summary.background);
    case 'overview':
      return textLine(repeatsGoal(summary) ? '' : summary.overview);
    case 'foreign':
      return textLine(summary.foreign);
    case 'files':
      return summary.files.map(({ path, operations, from = [] }) => ({
        section,
        text: operations.length > 0 ? `${path} (${operations.join(', ')})` : path,
        pinned: false,
        from,
      }));
    case 'ledger':
      return summary.ledger.map(({ kind, text, entry }) => ({
        section,
        text: `${kind}: ${text}`,
        pinned: false,
        from: [entry],
      }));
    default:
      return (summary[section] ?? []).map((line) => ({
        section,
        text: sayLine(line),
        pinned: line.pinned === true,
        from: line.from,
      }));
  }
}

/** A line of a list from its text. */
export function toDraftLine({
  text,
  from,
  pinned,
}: Pick<NamedLine, 'text' | 'from' | 'pinned'>): SummaryLine {
  return { ...readLine(text, { from }), ...(pinned && { pinned: true as const }) };
}
