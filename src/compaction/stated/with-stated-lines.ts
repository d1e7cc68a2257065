import { type Entry, mapLines, type Summary, type SummaryLine } from '../../record/index.ts';
import { bareWords, finishesTask, sameLine } from '../../summary/index.ts';
import { readPart } from '../../text/index.ts';

// Agents are asked to put decisions, blockers and to-dos on separate lines, each with a label. A labelled line is in every
// summary of its message, word for word, and no judgement of what matters leaves it out.

type List = 'decisions' | 'blockers' | 'completed' | 'pending';

const WORDS: Readonly<Record<string, List>> = {
  decision: 'decisions',
  decided: 'decisions',
  blocker: 'blockers',
  blocked: 'blockers',
  resolved: 'completed',
  done: 'completed',
  completed: 'completed',
  todo: 'pending',
  pending: 'pending',
};
const LISTS: readonly List[] = ['decisions', 'blockers', 'completed', 'pending'];
const LABEL = `(?:\\*\\*)?(${Object.keys(WORDS).join('|')})(?::\\*\\*|\\*\\*:|:)[ \\t]+`;
const STATED = new RegExp(`^[ \\t]*(?:[-*+•][ \\t]+)?${LABEL}(\\S.*)$`, 'gim');
/** With a sentence of the same message before it, as the digest joins short ones. */
const LABELLED = new RegExp(`^(?:.*?[.!?:] )??${LABEL}`, 'i');
/** "Blocker: none" names no blocker. */
const NOTHING = /^(?:none|nothing|n\/a|no|-+|–|—)[.!]?$/i;

/** A line under the list that it was stated for. */
interface StatedLine {
  readonly list: List;
  readonly line: SummaryLine;
}

/** The lines that were stated in entries, oldest first; a summary among them has those of the messages it stands for. */
export function statedLines(entries: readonly Entry[]): StatedLine[] {
  const all = entries.flatMap(linesIn);
  const done = all.flatMap(({ list, line }, at) => (list === 'completed' ? [{ at, text: line.text }] : []));
  const open = all.filter(({ list, line }, at) => {
    if (list !== 'blockers' && list !== 'pending') return true;
    return !done.some((later) => later.at > at && finishesTask(later.text, line.text));
  });
  const distinct = new Map(open.map((one) => [`${one.list} ${bareWords(one.line.text)}`, one]));
  return [...distinct.values()];
}

/** The summary with these lines, and without the same ones in other words. */
export function withStatedLines(summary: Summary, stated: readonly StatedLine[]): Summary {
  if (stated.length === 0) return summary;
  const known = new Map(stated.map(({ line }) => [bareWords(line.text), line]));
  const repeats = ({ text, from }: SummaryLine) =>
    known.has(bareWords(text.replace(LABELLED, ''))) ||
    stated.some(({ line }) => sameLine(line.text, text) && from.every((id) => line.from.includes(id)));
  const others = mapLines(summary, (lines, list) =>
    list === 'goal' || list === 'state' || list === 'standing'
      ? lines
      : lines.filter((line) => !repeats(line)),
  );
  const lists = LISTS.map((list) => [
    list,
    [...others[list], ...stated.flatMap((one) => (one.list === list ? [one.line] : []))],
  ]);
  return { ...others, ...Object.fromEntries(lists) };
}

function linesIn({ id, body }: Entry): StatedLine[] {
  if (body.kind === 'compaction')
    return LISTS.flatMap((list) =>
      body.summary[list].flatMap((line) => (line.stated ? [{ list, line }] : [])),
    );
  if (body.kind !== 'message' || body.role === 'tool') return [];
  const text = body.parts
    .map(readPart)
    .flatMap((piece) => (piece.kind === 'said' && typeof piece.text === 'string' ? [piece.text] : []))
    .join('\n');
  // A line that is quoted as code states nothing.
  return [...withoutFences(text).matchAll(STATED)].flatMap(([, word, rest]): StatedLine[] => {
    const said = rest!.trim().toWellFormed();
    const list = WORDS[word!.toLowerCase()]!;
    return NOTHING.test(said) ? [] : [{ list, line: { text: said, from: [id], stated: true } }];
  });
}

const FENCE = /^[ \t]*(`{3,}|~{3,})(.*)$/;
/** As a fence is closed: by as many marks as it was opened with, or more, and nothing else. */
const BARE = /^[`~]*[ \t]*$/;

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly closes: boolean;
}

/** The text without its blocks of code. A fence that is not closed opens no block. */
function withoutFences(text: string): string {
  const lines = text.split('\n');
  const fences = lines.map(fenceIn);
  const longest = longestAfter(fences);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const opened = fences[at];
    if (opened && longest[at]![opened.mark]! >= opened.length) at = closingOf(fences, at, opened);
    else kept.push(lines[at]!);
  }
  return kept.join('\n');
}

function fenceIn(line: string): Fence | undefined {
  const [, marks, rest] = FENCE.exec(line) ?? [];
  return marks === undefined
    ? undefined
    : { mark: marks[0]!, length: marks.length, closes: BARE.test(rest!) };
}

/** For each line the longest fence behind it that could close one, so that the search for one takes no time in vain. */
function longestAfter(fences: readonly (Fence | undefined)[]): Record<string, number>[] {
  let longest: Record<string, number> = { '`': 0, '~': 0 };
  return fences
    .toReversed()
    .map((fence) => {
      const behind = longest;
      if (fence?.closes) longest = { ...longest, [fence.mark]: Math.max(longest[fence.mark]!, fence.length) };
      return behind;
    })
    .reverse();
}

function closingOf(fences: readonly (Fence | undefined)[], from: number, opened: Fence): number {
  let at = from + 1;
  while (!isClosedBy(opened, fences[at])) at++;
  return at;
}

function isClosedBy({ mark, length }: Fence, fence: Fence | undefined): boolean {
  return fence?.closes === true && fence.mark === mark && fence.length >= length;
}
