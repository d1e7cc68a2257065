import {
  CheckpointList,
  type Entry,
  type Merge,
  mapLines,
  type Summary,
  type SummaryLine,
} from '../../record/index.ts';
import { type Gone, leavesOpen, sayLine, withLists, withoutGone } from '../../summary/index.ts';
import { createLine, type Line, type LineSection, todoKey } from '../../text/index.ts';
import { detail } from './talk-acts.ts';

/** Marks a line that holds words of the person, not of the agent. */
export const USER_MARK = '> ';

/** What older summaries hand on to the one that takes their place. */
interface Carried {
  readonly summaries: readonly Summary[];
  readonly decisions: SummaryLine[];
  readonly completed: SummaryLine[];
  readonly pending: SummaryLine[];
  readonly blockers: SummaryLine[];
  readonly state: SummaryLine[];
}

/** The summaries that stand before the range's own messages: the ones given, then those that the range itself holds. */
export function earlierSummaries(earlier: readonly Summary[], entries: readonly Entry[]): Summary[] {
  const seqs = new Set(entries.map(({ seq }) => seq));
  let summaries = [...earlier];
  for (const { id, body } of entries) {
    if (body.kind === 'merge') summaries = patch(summaries, body, id);
    // A compaction that covers messages of this very range repeats them.
    if (body.kind === 'restoration' || (body.kind === 'compaction' && !seqs.has(body.covers.to)))
      summaries.push(withSource(withLists(body.summary), id));
  }
  return summaries;
}

/** Lines of a merge belong to the state before it; what it dropped is gone from there. */
function patch(summaries: readonly Summary[], { summary, dropped }: Merge, id: string): Summary[] {
  const gone = dropped.map((line) => ({ ...line, by: id }));
  const left = summaries.map((earlier) => withoutGone(earlier, gone));
  const brought = withSource(summary, id);
  const newest = left.pop();
  // Without an overview: the merge is not what the conversation was about.
  if (!newest) return [{ ...brought, overview: '' }];
  const lists = CheckpointList.options.map((list) => [list, [...newest[list], ...brought[list]]]);
  return [...left, { ...newest, ...Object.fromEntries(lists) }];
}

/** What merges in the range dropped. */
export function goneIn(entries: readonly Entry[]): Gone[] {
  return entries.flatMap(({ id, body }) =>
    body.kind === 'merge' ? body.dropped.map((line) => ({ ...line, by: id })) : [],
  );
}

/** Lines of imported summaries know no entry they came from: it is then the one that holds the summary. */
function withSource(summary: Summary, id: string): Summary {
  return mapLines(summary, (lines) =>
    lines.map((line) => (line.from.length > 0 ? line : { ...line, from: [id] })),
  );
}

/** Later lines win; later completed tasks are no longer pending, and blockers count only if the newest names them. */
export function carryEarlier(summaries: readonly Summary[]): Carried {
  const pending = new Map<string, SummaryLine>();
  for (const summary of summaries) {
    for (const line of summary.pending) pending.set(todoKey(line.text), line);
    closeFinished(pending, summary.completed);
  }
  return {
    summaries,
    decisions: newestOf(summaries.flatMap(({ decisions }) => decisions)),
    completed: newestOf(summaries.flatMap(({ completed }) => completed)),
    pending: [...pending.values()],
    blockers: summaries.at(-1)?.blockers ?? [],
    state: summaries.at(-1)?.state ?? [],
  };
}

/** A completed line closes the pending one it names: by the same words, or by most of a longer wording. */
function closeFinished(pending: Map<string, SummaryLine>, completed: readonly SummaryLine[]): void {
  for (const { text } of completed) {
    const name = todoKey(text);
    for (const [key, open] of pending) {
      if (key === name || (isPartOf(key, name) && !leavesOpen(text, open.text))) pending.delete(key);
    }
  }
}

/** Requests are cut at a length, so one wording may be the beginning of the other. A word or two prove nothing. */
function isPartOf(a: string, b: string): boolean {
  return Math.min(a.length, b.length) > 15 && (a.includes(b) || b.includes(a));
}

export function newestOf(lines: readonly SummaryLine[]): SummaryLine[] {
  const newest = new Map<string, SummaryLine>();
  for (const line of lines) {
    const key = todoKey(line.text);
    newest.delete(key);
    newest.set(key, line);
  }
  return [...newest.values()];
}

/** What a line that was chosen once is worth when it is chosen again, by its section. */
const CARRIED = { standing: 4, decisions: 3, pending: 3, completed: 1.2, dropped: 1.2 } as const;
const LASTING = 0.5;
/**
 * The person's facts count more than the agent's, a name or a figure more than small talk, and earlier lines more than later
 * ones: it was chosen more often.
 */
const CARRIED_FACT = { user: 2, agent: 0.8, detail: 3, kept: 0.25 } as const;

/** The lines of earlier summaries, to compete with newer lines. Oldest first. */
export function earlierLines({ summaries, decisions, completed, pending }: Carried): Line[] {
  const order = new Map(
    summaries.flatMap((summary, at) => allLines(summary).map((line) => [line, at] as const)),
  );
  const toLine = (section: LineSection, line: SummaryLine, value: number): Line => {
    const byUser = line.text.startsWith(USER_MARK);
    const place = (order.get(line) ?? 0) - summaries.length;
    return createLine({
      text: byUser ? sayLine(line).slice(USER_MARK.length) : sayLine(line),
      from: line.from,
      by: byUser ? 'user' : 'agent',
      act: 'carried',
      section,
      // A line that was carried again and again stands in the oldest summary, and goes last.
      value: value * (1 - (LASTING * place) / summaries.length),
      place,
      turn: place,
    });
  };
  const lists = {
    standing: newestOf(summaries.flatMap(({ standing = [] }) => standing)),
    decisions,
    pending,
    completed,
    dropped: newestOf(summaries.flatMap(({ dropped = [] }) => dropped)),
  };
  const listed = Object.entries(lists).flatMap(([name, lines]) => {
    const section = name as keyof typeof CARRIED;
    return lines.map((line) => toLine(section, line, CARRIED[section]));
  });
  const facts = newestOf(summaries.flatMap(({ facts }) => facts)).map((line, at, { length }) => {
    const worth = line.text.startsWith(USER_MARK) ? CARRIED_FACT.user : CARRIED_FACT.agent;
    const kept = 1 + (CARRIED_FACT.kept * (length - at)) / length;
    return toLine('facts', line, (worth + CARRIED_FACT.detail * detail(line.text)) * kept);
  });
  return [...listed, ...facts];
}

function allLines({
  standing = [],
  decisions,
  pending,
  completed,
  dropped = [],
  facts,
}: Summary): SummaryLine[] {
  return [standing, decisions, pending, completed, dropped, facts].flat();
}

const MOST_GOALS = 5;

/** What the work was for at the beginning, and the newest of what it was for since. */
export function carriedGoal(summaries: readonly Summary[]): SummaryLine[] {
  const goals = newestOf(
    summaries.flatMap(({ goal, overview }) => goal ?? (overview ? [{ text: overview, from: [] }] : [])),
  );
  return goals.length <= MOST_GOALS ? goals : [goals[0]!, ...goals.slice(1 - MOST_GOALS)];
}
