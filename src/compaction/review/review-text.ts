import { ThroughlineError } from '../../errors.ts';
import { sayNumber } from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { DraftChange } from './change-draft.ts';
import { DRAFT_SECTIONS, type DraftSection, isList } from './draft-lines.ts';
import type { DraftLine, LineSource, LostItem, SummaryDraft } from './read-draft.ts';

// A draft as a text to edit, one line of the summary to a line, each with its name and the numbers of its entries at the end.
// The text that is read back gives the changes; an untouched text gives none.

export type ReviewedDraft = Pick<
  SummaryDraft,
  'covers' | 'messages' | 'tokensBefore' | 'tokensAfter' | 'lines' | 'lost'
>;

const TITLES: Readonly<Record<DraftSection, string>> = {
  background: 'Before',
  goal: 'Goal',
  overview: 'Overview',
  state: 'State',
  standing: 'Standing rules',
  decisions: 'Decisions',
  pending: 'Pending',
  blockers: 'Blockers',
  completed: 'Completed',
  dropped: 'Tried and dropped',
  facts: 'Facts',
  topics: 'Topics',
  files: 'Files',
  ledger: 'Ledger',
  foreign: "Another program's summary",
};
const SECTIONS = new Map(DRAFT_SECTIONS.map((section) => [TITLES[section].toLowerCase(), section]));

const HELP = [
  'Save it and leave to go on. An emptied file leaves everything as it is.',
  '',
  'Delete a line to drop it. Change its words to rewrite it. Move it below another heading to list it there.',
  'With "! " in the place of "- " a line is pinned: every later summary has it, until you unpin or drop it.',
  'A line of your own needs no ⟦name⟧. The numbers behind a name are the entries that the line comes from.',
];
const OFFER = [
  'Names, paths and figures of these entries that the summary lacks. Take the "# " away to keep one; its words are yours',
  'to change.',
];

export function renderReview(draft: ReviewedDraft): string {
  const { covers, messages, tokensBefore, tokensAfter, lines, lost } = draft;
  const head = `Entries ${covers.from} to ${covers.to} as a summary: ${sayNumber(messages)} messages, ${sayNumber(tokensBefore)} tokens → ${sayNumber(tokensAfter)} tokens.`;
  const offered = lost.flatMap((one) => itemOf('-', shownLost(one), one).map(comment));
  return [
    ...[head, '', ...HELP].map(comment),
    '',
    ...listDraft({ lines }),
    ...(offered.length > 0 ? [...OFFER.map(comment), `## ${TITLES.ledger}`, ...offered] : []),
    '',
  ].join('\n');
}

/** The lines under their headings, each with its name and its entries. */
export function listDraft({ lines }: Pick<ReviewedDraft, 'lines'>): string[] {
  return DRAFT_SECTIONS.flatMap((section) => {
    const here = lines.filter((line) => line.section === section);
    return here.length === 0 ? [] : [`## ${TITLES[section]}`, ...here.flatMap(item), ''];
  });
}

/** The changes in the text of a draft; `undefined` if it was emptied. */
export function readReview({ lines, lost }: ReviewedDraft, text: string): DraftChange[] | undefined {
  const items = readItems(text);
  if (!/\S/.test(text)) return undefined;
  const seen = new Set<string>();
  const changes: DraftChange[] = [];
  for (const { section, text, pinned, name } of items) {
    const again = name !== undefined && seen.has(name);
    if (name !== undefined) seen.add(name);
    const line = lines.find((one) => one.name === name);
    const item = lost.find((one) => one.name === name);
    if (name !== undefined && !line && !item) throw unknown(name);
    if (!again && line) changes.push(...changesOf(line, { section, text, pinned }));
    else if (!again && item) changes.push(rescueOf(item, { section, text, pinned }));
    // A line that was copied is one more.
    else if (text !== '') changes.push({ do: 'add', section, text, ...(pinned && { pinned }) });
  }
  const gone = lines.filter((line) => !seen.has(line.name));
  return [...changes, ...gone.map((line) => ({ do: 'drop' as const, line: line.name }))];
}

type Item = { section: DraftSection; text: string; pinned: boolean };

function changesOf(line: DraftLine, { section, text, pinned }: Item): DraftChange[] {
  const { name } = line;
  const isSame = text === plain(shownLine(line));
  if (text === '' && !isSame) return [{ do: 'drop', line: name }];
  const moved = section === line.section ? {} : { section };
  return [
    ...(isSame && section === line.section
      ? []
      : [{ do: 'rewrite' as const, line: name, text: isSame ? line.text : text, ...moved }]),
    ...(pinned === line.pinned ? [] : [{ do: pinned ? ('pin' as const) : ('unpin' as const), line: name }]),
  ];
}

function rescueOf(item: LostItem, { section, text, pinned }: Item): DraftChange {
  const own = text === '' || text === plain(shownLost(item)) ? {} : { text };
  const list = isList(section) ? { section } : {};
  return { do: 'rescue', item: item.name, ...own, ...list, ...(pinned && { pinned }) };
}

const SHOWN = 200;

/**
 * Of what another program wrote only the beginning: it can be dropped, and not rewritten. So of a long text on what came
 * before, which stands before the summary anyway.
 */
function shownLine({ section, text }: Pick<DraftLine, 'section' | 'text'>): string {
  const beginning = () => [...plain(text).replaceAll('\n', ' ')].slice(0, SHOWN).join('');
  if (section === 'foreign') return `${sayNumber(countText(text))} tokens, word for word: ${beginning()} …`;
  return section === 'background' && text.length > SHOWN ? `${beginning()} …` : text;
}

function shownLost({ kind, text }: Pick<LostItem, 'kind' | 'text'>): string {
  return `${kind}: ${text}`;
}

const item = (line: DraftLine) => itemOf(line.pinned ? '!' : '-', shownLine(line), line);

/** The second line of a text is indented, so that it belongs to the item. */
function itemOf(
  bullet: string,
  text: string,
  { name, from }: { readonly name: string; readonly from: readonly LineSource[] },
): string[] {
  const seqs = [...new Set(from.flatMap(({ seq }) => seq ?? []))].sort((a, b) => a - b);
  const tag = `⟦${name}${seqs.length > 0 ? `: ${seqs.join(', ')}` : ''}⟧`;
  return `${bullet} ${plain(text).replaceAll('\n', '\n  ')} ${tag}`.split('\n');
}

/** A text as it is recognised when read back: without blanks around its lines. */
function plain(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, '\n');
}

function comment(line: string): string {
  return line === '' ? '#' : `# ${line}`;
}

const TAG = /\s*⟦((?:part|lost)-\d+)(?::[^⟦⟧]*)?⟧\s*$/;
const HEADING = /^##\s+(.+?)\s*$/;

function readItems(text: string): (Item & { name?: string })[] {
  let section: DraftSection = 'facts';
  const found: { section: DraftSection; pinned: boolean; lines: string[] }[] = [];
  for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    const heading = SECTIONS.get(HEADING.exec(line)?.[1]?.toLowerCase() ?? '');
    if (heading) section = heading;
    if (heading || line.startsWith('#') || line.trim() === '') continue;
    const last = found.at(-1);
    if (/^\s/.test(line) && last) last.lines.push(line);
    else
      found.push({ section, pinned: line.startsWith('! '), lines: [line.replace(/^\s*[-!*](?:\s+|$)/, '')] });
  }
  return found.map(({ section, pinned, lines }) => {
    const whole = lines.join('\n');
    const name = TAG.exec(whole)?.[1];
    return { section, pinned, text: plain(whole.replace(TAG, '')), ...(name !== undefined && { name }) };
  });
}

function unknown(name: string): ThroughlineError {
  return new ThroughlineError(
    'usage',
    `No line of the draft is called ⟦${name}⟧. A line of your own has no such name.`,
    { details: { name } },
  );
}
