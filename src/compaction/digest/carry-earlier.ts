import {
  CheckpointList,
  type Entry,
  type Merge,
  type Summary,
  type SummaryLine,
} from '../../record/index.ts';
import { type Gone, leavesOpen, withoutGone } from '../../summary/index.ts';
import { todoKey } from '../ledger/index.ts';
import type { Source } from './unit-rows.ts';

/** Marks a line that holds words of the person, not of the agent. */
export const USER_MARK = '> ';

/** A line was chosen once already, from all that was said. */
const CHOSEN = 1.2;

/** What older summaries hand on to the one that takes their place. */
export interface Carried {
  readonly summaries: readonly Summary[];
  readonly sources: Source[];
  readonly decisions: SummaryLine[];
  readonly completed: SummaryLine[];
  readonly pending: SummaryLine[];
  readonly blockers: SummaryLine[];
}

/** The summaries that stand before the range's own messages: the ones given, then those that the range itself holds. */
export function earlierSummaries(earlier: readonly Summary[], entries: readonly Entry[]): Summary[] {
  const seqs = new Set(entries.map(({ seq }) => seq));
  let summaries = [...earlier];
  for (const { id, body } of entries) {
    if (body.kind === 'merge') summaries = patch(summaries, body, id);
    // A compaction that covers messages of this very range repeats them.
    if (body.kind === 'restoration' || (body.kind === 'compaction' && !seqs.has(body.covers.to)))
      summaries.push(withSource(body.summary, id));
  }
  return summaries;
}

/** What a merge brought belongs to what was known before it; what it dropped is gone from there. */
function patch(summaries: readonly Summary[], { summary, dropped }: Merge, id: string): Summary[] {
  const gone = dropped.map((line) => ({ ...line, by: id }));
  const left = summaries.map((earlier) => withoutGone(earlier, gone));
  const brought = withSource(summary, id);
  const newest = left.pop();
  // Without an overview of its own: the merge is not what the conversation was about.
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
  const lines = (list: readonly SummaryLine[]) =>
    list.map((line) => (line.from.length > 0 ? line : { ...line, from: [id] }));
  const { topics, decisions, completed, pending, blockers, facts } = summary;
  return {
    ...summary,
    topics: lines(topics),
    decisions: lines(decisions),
    completed: lines(completed),
    pending: lines(pending),
    blockers: lines(blockers),
    facts: lines(facts),
  };
}

/** Later lines win; what was completed later is no longer pending, and blockers count only if the newest names them. */
export function carryEarlier(summaries: readonly Summary[]): Carried {
  const pending = new Map<string, SummaryLine>();
  for (const summary of summaries) {
    for (const line of summary.pending) pending.set(todoKey(line.text), line);
    closeFinished(pending, summary.completed);
  }
  return {
    summaries,
    sources: summaries.flatMap(({ facts }) => facts.map(toSource)),
    decisions: newestOf(summaries.flatMap(({ decisions }) => decisions)),
    completed: newestOf(summaries.flatMap(({ completed }) => completed)),
    pending: [...pending.values()],
    blockers: summaries.at(-1)?.blockers ?? [],
  };
}

/** A completed line closes the pending one it names: by the same words, or by most of a longer wording. */
export function closeFinished(pending: Map<string, SummaryLine>, completed: readonly SummaryLine[]): void {
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

function toSource({ text, from }: SummaryLine): Source {
  const byUser = text.startsWith(USER_MARK);
  return {
    text: byUser ? text.slice(USER_MARK.length) : text,
    from,
    weight: CHOSEN,
    by: byUser ? 'user' : 'assistant',
  };
}
