import type { Entry, EntryId, Summary, SummaryLine } from '../../record/index.ts';
import { bareWords, finishesTask, sameLine } from '../../summary/index.ts';
import { messageText } from '../request/message-text.ts';
import { withoutFences } from './without-fences.ts';

// Agents are told to put decisions, blockers and to-dos on lines of their own. Such a line is not left to anybody's
// judgement of what matters: whoever writes the summary, it is in it, word for word.

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
const STATED = new RegExp(`^[ \\t]*(?:[-*][ \\t]+)?${LABEL}(\\S.{2,})$`, 'gim');
const LABELLED = new RegExp(`^${LABEL}`, 'i');
const LONGEST = 400;
const MOST = 300;

/** A summary with every line that was stated in the messages it is of, and older summaries' lines in their own words. */
export function withStatedLines(summary: Summary, entries: readonly Entry[]): Summary {
  const stated = entries.flatMap(linesIn).slice(-MOST);
  const earlier = entries.flatMap(({ body }) => (body.kind === 'compaction' ? [body.summary] : []));
  const repeats = ({ text }: SummaryLine) => stated.some((line) => says(text, line.text));
  const lists = LISTS.map((list) => {
    const open = stated.filter((line, index) => line.list === list && !isClosed(stated, index));
    const distinct = new Map(open.map(({ text, from }) => [bareWords(text), { text, from: [from] }]));
    const others = summary[list].filter((line) => !repeats(line));
    return [list, [...others.map((line) => inOldWords(line, earlier, list)), ...distinct.values()]] as const;
  });
  return { ...summary, ...Object.fromEntries(lists), facts: summary.facts.filter((line) => !repeats(line)) };
}

interface Stated {
  readonly list: List;
  readonly text: string;
  readonly from: EntryId;
}

function linesIn({ id, body }: Entry): Stated[] {
  if (body.kind !== 'message' || body.role === 'tool') return [];
  // What is quoted as code states nothing.
  return [...withoutFences(messageText(body)).matchAll(STATED)].map(([, word, text]) => ({
    list: WORDS[word!.toLowerCase()]!,
    text: [...text!.trim()].slice(0, LONGEST).join(''),
    from: id,
  }));
}

/** Whether a later line says that what stood in the way, or was to be done, no longer is. */
function isClosed(stated: readonly Stated[], index: number): boolean {
  const { list, text } = stated[index]!;
  if (list !== 'blockers' && list !== 'pending') return false;
  return stated
    .slice(index + 1)
    .some((later) => later.list === 'completed' && finishesTask(later.text, text));
}

/** The line itself, perhaps with the word that it was stated by. */
function says(line: string, stated: string): boolean {
  return bareWords(line.replace(LABELLED, '')) === bareWords(stated);
}

/** Merged summaries are merged again; a line that is worded anew each time would say something else in the end. */
function inOldWords(line: SummaryLine, earlier: readonly Summary[], list: List): SummaryLine {
  const before = earlier.flatMap((summary) => summary[list]);
  const same = before.find(({ text }) => text !== line.text && sameLine(text, line.text));
  return same ? { ...line, text: same.text } : line;
}
