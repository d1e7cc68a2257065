import {
  besidePinned,
  type EntryId,
  mapLines,
  type Summary,
  type SummaryFile,
  type SummaryLine,
} from '../record/index.ts';
import { countText } from '../tokens/index.ts';
import { FOREIGN_TITLE, fitForeign } from './foreign-text.ts';

/** Lists in the order a successor needs them, and how fast each shrinks when there is no room for all. */
const SECTIONS = [
  ['Standing rules', 'standing', 0.5],
  ['Decisions', 'decisions', 0.7],
  ['Pending', 'pending', 0.7],
  ['Blockers', 'blockers', 0.7],
  ['Completed', 'completed', 1],
  ['Tried and dropped', 'dropped', 1],
  ['Facts', 'facts', 1.3],
  ['Topics', 'topics', 1.3],
] as const;

/**
 * A summary as text for a model: markdown, the lines that matter most first. With `maxTokens`, lists lose their oldest
 * lines until it fits; the goal, the overview and the newest lines stay longest, and pinned lines even beyond it. What
 * another program's model wrote has the room that is left.
 */
export function renderSummary(
  summary: Summary,
  { maxTokens = Number.POSITIVE_INFINITY }: { maxTokens?: number } = {},
): string {
  for (let keep = 1; keep > 0.01; keep *= 0.75) {
    const text = render(summary, keep);
    const tokens = countText(text);
    if (tokens <= maxTokens) return withForeign(text, summary, maxTokens - tokens);
  }
  return ['## Conversation Summary', ...headOf(summary).slice(-1), ...listsOf(onlyPinned(summary))].join(
    '\n',
  );
}

const HEADING_TOKENS = 20;

function withForeign(text: string, { foreign }: Summary, room: number): string {
  const fitted = foreign ? fitForeign(foreign, room - HEADING_TOKENS) : '';
  return fitted ? `${text}\n### ${FOREIGN_TITLE}\n${fitted}` : text;
}

function render(summary: Summary, keep: number): string {
  const newest = <T>(list: readonly T[], share = keep) =>
    list.slice(list.length - Math.ceil(list.length * share));
  const lists = listsOf(summary, (lines, speed) =>
    besidePinned(lines, (loose) => newest(loose, keep ** speed)),
  );
  const ledger = newest(summary.ledger).map(({ kind, text }) =>
    sayItem(`${kind}: ${text.replace(OUTCOME, ' ($1)')}`),
  );
  return [
    '## Conversation Summary',
    ...headOf(summary),
    ...lists,
    ...renderFiles(newest(summary.files)),
    ...(ledger.length > 0 ? ['### Ledger', ...ledger] : []),
  ].join('\n');
}

function listsOf(
  summary: Summary,
  choose: (lines: readonly SummaryLine[], speed: number) => readonly SummaryLine[] = (lines) => lines,
): string[] {
  return SECTIONS.flatMap(([title, field, speed]) => {
    const lines = choose(summary[field] ?? [], speed);
    return lines.length === 0 ? [] : [`### ${title}`, ...lines.map((line) => sayItem(sayLine(line)))];
  });
}

function onlyPinned(summary: Summary): Summary {
  return mapLines(summary, (lines) => lines.filter(({ pinned }) => pinned));
}

/** How a command ended, as the ledger keeps it; in a text an arrow stands for what led to what. */
const OUTCOME = / → (exit -?\d+|failed)$/;

function headOf({ background, goal = [], state = [], overview }: Summary): string[] {
  return [
    ...(background && background !== 'Initial session.' ? [`Before: ${indented(background)}`] : []),
    ...goal.map((line, at) => `${at === 0 ? 'Goal' : 'Goal then'}: ${indented(sayLine(line))}`),
    ...(overview && overview !== goal[0]?.text ? [overview] : []),
    ...state.map((line) => `State: ${indented(sayLine(line))}`),
  ];
}

/** Paths below one folder are named from there: the folder stands in the heading. */
function renderFiles(files: readonly SummaryFile[]): string[] {
  if (files.length === 0) return [];
  const folder = files.length > 2 ? commonFolder(files.map(({ path }) => path)) : '';
  const items = files.map(
    ({ path, operations }) => `- ${path.slice(folder.length)} (${operations.join(', ')})`,
  );
  return [folder ? `### Files in ${folder}` : '### Files', ...items];
}

function commonFolder(paths: readonly string[]): string {
  const [first = '', ...rest] = paths;
  let length = first.lastIndexOf('/') + 1;
  for (const path of rest) {
    while (length > 0 && !path.startsWith(first.slice(0, length)))
      length = length < 2 ? 0 : first.lastIndexOf('/', length - 2) + 1;
  }
  return length > 8 ? first.slice(0, length) : '';
}

// A line of a list as text, and back. Every face writes lines this way, so that each can be read into the structure.

const BECAUSE = ' (because: ';
const INSTEAD = ' (instead of: ';

/** The line with its reason and the line that it took the place of, in brackets. */
export function sayLine({ text, reason, supersedes }: Omit<SummaryLine, 'from'>): string {
  const why = reason ? `${BECAUSE}${reason})` : '';
  return `${text}${why}${supersedes ? `${INSTEAD}${supersedes})` : ''}`;
}

export function readLine(said: string, { from = [] }: { from?: readonly EntryId[] } = {}): SummaryLine {
  const [rest, supersedes] = takeBracket(said, INSTEAD);
  const [text, reason] = takeBracket(rest, BECAUSE);
  return { text, from: [...from], ...(reason && { reason }), ...(supersedes && { supersedes }) };
}

/** A line as an item of a markdown list; its second line is indented, so that it belongs to the item. */
export function sayItem(text: string): string {
  return `- ${indented(text)}`;
}

export function indented(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, '\n  ');
}

function takeBracket(said: string, opening: string): [rest: string, inside?: string] {
  const at = said.endsWith(')') ? said.lastIndexOf(opening) : -1;
  return at <= 0 ? [said] : [said.slice(0, at), said.slice(at + opening.length, -1)];
}
