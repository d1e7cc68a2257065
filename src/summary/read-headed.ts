import {
  type EntryId,
  emptySummary,
  mapLines,
  type Summary,
  type SummaryLine,
  type SummaryList,
} from '../record/index.ts';
import { foreignStart, trimLines } from './foreign-text.ts';
import { FENCE, type HeadedSection, headingsOf, sectionOf } from './headings.ts';
import { readLine } from './render-summary.ts';

/** Labels of lines before the first list. */
const LABEL = /^(Before|Goal|Goal then|State|Latest request): (.*)$/;
const LABELLED: Readonly<Record<string, HeadedSection>> = {
  Before: 'background',
  State: 'state',
  'Latest request': 'state',
};
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const FILE = /^(.+?) \(([\p{L}, ]*)\)$/u;

/**
 * The summary in a text with headings, in whatever program's words: lists are recognised by their titles, lines under unknown
 * titles are kept as facts, word for word. `undefined` when nothing in the text is a heading.
 */
export function readHeaded(
  text: string,
  { entry, restore = (words) => words }: { entry?: EntryId; restore?: (words: string) => string } = {},
): Summary | undefined {
  const summary = emptySummary();
  const paragraphs: Record<'background' | 'overview', string[]> = { background: [], overview: [] };
  let section: HeadedSection = 'overview';
  /** The list whose last line the next indented one belongs to. */
  let open: HeadedSection | undefined;
  let folder = '';
  let isFound = false;
  let isCode = false;
  const list = (name: SummaryList): SummaryLine[] => {
    summary[name] ??= [];
    return summary[name];
  };
  const add = (words: string, to: HeadedSection = section) => {
    const told = restore(words.trim());
    if (!told || told === 'None') return;
    if (to === 'background' || to === 'overview') paragraphs[to].push(told);
    else if (to === 'files') addFile(summary, told, folder);
    else if (to === 'ledger') addLedger(summary, told, entry);
    else list(to).push({ text: told, from: [] });
  };
  const all = text.split(/\r?\n/);
  const start = foreignStart(all);
  const lines = start < 0 ? all : all.slice(0, start);
  if (start >= 0)
    summary.foreign = trimLines(
      all
        .slice(start + 1)
        .map((line) => line.replace(/\S(?:.*\S)?/, restore))
        .join('\n'),
    );
  const headingIn = headingsOf(lines);
  /** How far the items of the section are indented: second lines are further in. */
  let indent = 0;
  for (const line of lines) {
    const bare = line.trim();
    if (!bare) {
      if (!isCode) open = undefined;
      continue;
    }
    if (FENCE.test(bare)) isCode = !isCode;
    // Code is one thing: it belongs to the line before it, or is a separate line.
    else if (isCode && open) {
      extend(open, restore(line.trimEnd()));
      continue;
    }
    const heading = isCode ? undefined : headingIn(line);
    if (heading) {
      isFound = true;
      section = sectionOf(heading.title) ?? 'facts';
      folder = /^Files in (.+)$/.exec(heading.title)?.[1] ?? '';
      // Under a title that is not known, the words behind it may mean nothing without it.
      add(section === 'facts' && heading.rest ? `${heading.title}: ${heading.rest}` : heading.rest);
      open = section === 'background' ? section : undefined;
      indent = 0;
      continue;
    }
    const label = section === 'overview' ? LABEL.exec(bare) : null;
    const inset = line.length - line.trimStart().length;
    if (open && (inset > indent || FENCE.test(bare))) {
      extend(open, restore(bare));
      continue;
    }
    if (!open) indent = inset;
    const item = ITEM.exec(bare);
    const to: HeadedSection = label ? (LABELLED[label[1]!] ?? 'goal') : section;
    if (label) add(label[2]!, to);
    else if (isFound || !/[:：]$/.test(bare)) add(item ? item[1]! : bare);
    open = to === 'overview' ? undefined : to;
  }
  if (!isFound && start < 0) return undefined;
  summary.background = paragraphs.background.join(' ') || summary.background;
  summary.overview =
    paragraphs.overview.join('\n') || (summary.goal?.[0]?.text ?? summary.topics[0]?.text ?? '');
  return mapLines(summary, (lines) => lines.map(({ text }) => readLine(text)));

  /** The second line of an item belongs to it. */
  function extend(to: HeadedSection, words: string): void {
    if (to === 'overview' || to === 'files') return;
    if (to === 'background') {
      paragraphs.background.push(`${paragraphs.background.pop() ?? ''}\n${words}`);
      return;
    }
    const last = to === 'ledger' ? summary.ledger.at(-1) : summary[to]?.at(-1);
    if (last) last.text += `\n${words}`;
  }
}

function addFile(summary: Summary, told: string, folder: string): void {
  const [, path = told, operations = ''] = FILE.exec(told) ?? [];
  summary.files.push({ path: folder + path, operations: operations.split(', ').filter(Boolean) });
}

const OUTCOME = / \((exit -?\d+|failed)\)$/;

/** Without an entry that it came from there is no item: then it is a fact. */
function addLedger(summary: Summary, told: string, entry: EntryId | undefined): void {
  const [, kind, text] = /^(\p{L}+): ([\s\S]+)$/u.exec(told) ?? [];
  if (entry !== undefined && kind && text)
    summary.ledger.push({ kind, text: text.replace(OUTCOME, ' → $1'), entry });
  else summary.facts.push({ text: told, from: [] });
}
