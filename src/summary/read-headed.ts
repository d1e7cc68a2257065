import {
  type EntryId,
  emptySummary,
  type Summary,
  type SummaryLine,
  type SummaryList,
} from '../record/index.ts';

type Section = SummaryList | 'background' | 'overview' | 'files' | 'ledger';

/** What headings of summaries say, ours and those of other programs' models; the first that fits counts. */
const TITLES: readonly (readonly [section: Section, title: RegExp])[] = [
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
const LABEL = /^(Goal|Goal then|Latest request): (.*)$/;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$/;
const FILE = /^(.+?) \(([\p{L}, ]*)\)$/u;

/**
 * The summary in a text with headings, in whatever program's words: lists are told by their titles, what stands under
 * titles that we do not know is kept as facts, word for word. `undefined` when nothing in the text is a heading.
 */
export function readHeaded(
  text: string,
  { entry, restore = (words) => words }: { entry?: EntryId; restore?: (words: string) => string } = {},
): Summary | undefined {
  const summary = emptySummary();
  const paragraphs: Record<'background' | 'overview', string[]> = { background: [], overview: [] };
  let section: Section = 'overview';
  let folder = '';
  let isFound = false;
  let isOpen = false;
  const list = (name: SummaryList): SummaryLine[] => {
    summary[name] ??= [];
    return summary[name];
  };
  const add = (words: string, to: Section = section) => {
    const told = restore(words.trim());
    if (!told || told === 'None') return;
    if (to === 'background' || to === 'overview') paragraphs[to].push(told);
    else if (to === 'files') addFile(summary, told, folder);
    else if (to === 'ledger') addLedger(summary, told, entry);
    else list(to).push({ text: told, from: [] });
  };
  for (const line of text.split(/\r?\n/)) {
    const bare = line.trim();
    if (!bare) {
      isOpen = false;
      continue;
    }
    const title = HEADING.exec(bare)?.[1] ?? BOLD.exec(bare)?.[1];
    if (title !== undefined && line === line.trimStart()) {
      isFound = true;
      section = TITLES.find(([, words]) => words.test(title))?.[0] ?? 'facts';
      folder = /^Files in (.+)$/.exec(title)?.[1] ?? '';
      add(HEADING.test(bare) ? '' : (BOLD.exec(bare)?.[2] ?? ''));
      isOpen = false;
      continue;
    }
    const label = section === 'overview' ? LABEL.exec(bare) : null;
    const item = line === line.trimStart() ? ITEM.exec(bare) : null;
    if (label) add(label[2]!, label[1] === 'Latest request' ? 'state' : 'goal');
    else if (isOpen && /^\s/.test(line)) extend(summary, section, restore(bare));
    else if (isFound || !/[:：]$/.test(bare)) add(item ? item[1]! : bare);
    isOpen = !label && section !== 'overview' && section !== 'background';
  }
  if (!isFound) return undefined;
  summary.background = paragraphs.background.join(' ') || summary.background;
  summary.overview =
    paragraphs.overview.join('\n') || (summary.goal?.[0]?.text ?? summary.topics[0]?.text ?? '');
  return summary;
}

/** The second line of an item belongs to it. */
function extend(summary: Summary, section: Section, words: string): void {
  if (section === 'background' || section === 'overview' || section === 'files') return;
  const last = section === 'ledger' ? summary.ledger.at(-1) : summary[section]?.at(-1);
  if (last) last.text += `\n${words}`;
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
