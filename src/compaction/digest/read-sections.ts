import type { LedgerItem, SummaryFile, SummaryLine } from '../../record/index.ts';
import { type Ledger, type Reading, todoKey } from '../ledger/index.ts';
import { type Carried, closeFinished, newestOf } from './carry-earlier.ts';
import { readBlockers } from './read-blockers.ts';
import { readOverviews } from './read-overviews.ts';
import type { Request, Requests } from './read-requests.ts';

/** The lists of a summary that are told by rule, before anything is left out. Oldest first. */
export interface Sections {
  /** Shorter and longer ways to say what the range was about; each says all that the one before says. */
  readonly overviews: readonly string[];
  readonly pending: readonly SummaryLine[];
  readonly blockers: readonly SummaryLine[];
  readonly decisions: readonly SummaryLine[];
  readonly completed: readonly SummaryLine[];
  readonly files: readonly SummaryFile[];
  readonly ledger: readonly LedgerItem[];
}

export function readSections({
  requests,
  ledger,
  carried,
  readings,
}: {
  requests: Requests;
  ledger: Ledger;
  carried: Carried;
  readings: readonly Reading[];
}): Sections {
  const ofKind = (kind: string): SummaryLine[] =>
    ledger.ledger.filter((item) => item.kind === kind).map(({ text, entry }) => ({ text, from: [entry] }));
  const { all, agentic } = requests;
  const finished = all.filter(({ state, work }) => state === 'finished' && (agentic || work));
  const places = new Map(readings.map(({ entry }, index) => [entry.id, index]));
  const place = ({ from }: SummaryLine) => Math.max(-1, ...from.map((id) => places.get(id) ?? -1));
  const inOrder = [...finished.map(toLine), ...ofKind('done')].sort((a, b) => place(a) - place(b));
  const completed = newestOf([...carried.completed, ...inOrder]);
  const asked = all.at(-1);
  // Where people only talk, a question that was passed over is not a task; the newest one waits for its answer.
  const isTask = (request: Request) =>
    agentic || request.work || (request === asked && /[?？]$/.test(request.text));
  const open = all.filter((request) => request.state === 'open' && isTask(request));
  const lastAsked = asked ? (places.get(asked.entry) ?? -1) : -1;
  const next = ofKind('next').filter((line) => place(line) > lastAsked);
  const todos = [...carried.pending, ...ofKind('todo'), ...next];
  const pending = new Map(todos.map((line) => [todoKey(line.text), line]));
  closeFinished(pending, inOrder);
  // A request that is asked again after it was finished is open again.
  for (const request of open) pending.set(todoKey(request.text), toLine(request));
  return {
    overviews: readOverviews(agentic ? all : all.filter(({ telling }) => telling), carried.summaries),
    pending: [...pending.values()],
    blockers: readBlockers(readings, carried.blockers),
    decisions: newestOf([...carried.decisions, ...ofKind('decision')]),
    completed: completed.filter(({ text }) => !pending.has(todoKey(text))),
    files: ledger.files,
    ledger: ledger.ledger.filter(({ kind }) => !LISTED_ELSEWHERE.has(kind)),
  };
}

const LISTED_ELSEWHERE = new Set(['decision', 'todo', 'next', 'done']);

function toLine({ text, entry, answer }: Request): SummaryLine {
  return { text, from: answer === undefined ? [entry] : [entry, answer] };
}
