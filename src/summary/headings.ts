import type { SummaryList } from '../record/index.ts';

export type HeadedSection = SummaryList | 'background' | 'overview' | 'files' | 'ledger';

/** What headings of summaries say, ours and those of other programs' models; the first that fits counts. */
const TITLES: readonly (readonly [section: HeadedSection, title: RegExp])[] = [
  ['background', /^background/i],
  ['files', /^files?\b|^modified files|^read files/i],
  ['ledger', /^ledger$/i],
  ['decisions', /decision|decided|agreed/i],
  ['blockers', /^block|blocker|blocked/i],
  ['dropped', /dropped|tried|abandoned|rejected/i],
  ['pending', /pending|^open|to.?do|next steps?|in progress|remaining/i],
  ['completed', /complet|^done|finished|accomplish/i],
  ['goal', /^goal|objective|primary request|purpose/i],
  ['state', /^latest request|^state\b|current (?:work|state|status)/i],
  ['standing', /^standing|^rules?\b|constraint|preference/i],
  ['topics', /topic/i],
  ['overview', /summary|overview/i],
];
const HEADING = /^#{1,6}\s+(.+?)\s*:?\s*#*$/;
const BOLD = /^\*\*([^*]{2,60}?):?\*\*:?\s*(.*)$/;
/** "3. Files and Code Sections:", in summaries that have no other headings. */
const NUMBERED = /^\d{1,2}\.\s+(?:\*\*)?(\p{Lu}[^:*\n]{2,60})(?:\*\*)?:(?:\*\*)?\s*(.*)$/u;
const LEAST_NUMBERED = 3;
export const FENCE = /^(?:```|~~~)/;

/** The section that a heading opens; `undefined` for one that we do not know. */
export function sectionOf(title: string): HeadedSection | undefined {
  return TITLES.find(([, words]) => words.test(title))?.[0];
}

interface Heading {
  readonly title: string;
  /** Words behind the title on its line. */
  readonly rest: string;
}

export function headingsOf(lines: readonly string[]): (line: string) => Heading | undefined {
  const marked = (line: string) => {
    const [, bold, rest = ''] = BOLD.exec(line) ?? [];
    const title = HEADING.exec(line)?.[1] ?? bold;
    return title === undefined ? undefined : { title, rest: HEADING.test(line) ? '' : rest };
  };
  const numbered = (line: string) => {
    const [, title, rest = ''] = NUMBERED.exec(line) ?? [];
    return title === undefined ? undefined : { title, rest };
  };
  if (lines.some(marked) || lines.filter(numbered).length < LEAST_NUMBERED) return marked;
  return numbered;
}
