import type { EntryId, SummaryLine } from '../../record/index.ts';
import { type Gone, sameLine } from '../../summary/index.ts';
import { createLine, type Ledger, type Line } from '../../text/index.ts';
import type { AskedRequest, Requests } from './read-requests.ts';
import type { TurnMoment } from './read-turns.ts';

type PlaceOf = (from: readonly EntryId[]) => number;

const MOST_OPEN = 8;
/** "ls" was typed for its output. */
const WORDS = /\S\s+\S|\p{Lo}{2}/u;

/**
 * Requests that were neither done nor dropped, and open to-dos that were written as to-dos. Newest first. Where people only
 * talk, a question that was passed over is no task; the newest one waits for its answer.
 */
export function openPoints(
  { all, agentic }: Requests,
  { ledger }: Ledger,
  { placeOf }: { placeOf: PlaceOf },
): SummaryLine[] {
  const newest = all.at(-1);
  const isTask = (request: AskedRequest) =>
    (agentic && WORDS.test(request.text)) ||
    request.work ||
    (request === newest && /[?？]$/.test(request.text));
  const asked = all
    .filter((request) => request.state === 'open' && isTask(request))
    .map(({ text, entry }) => ({ text, from: [entry] }));
  const lastAsked = newest ? placeOf([newest.entry]) : -1;
  const todos = ledger
    .filter(({ kind, entry }) => kind === 'todo' || (kind === 'next' && placeOf([entry]) > lastAsked))
    .map(({ text, entry }) => ({ text, from: [entry] }));
  // Steps of one plan stay in their order: the first of them is the next to be taken.
  return [...todos, ...asked].toSorted((a, b) => placeOf(b.from) - placeOf(a.from)).slice(0, MOST_OPEN);
}

const STATED = { decision: ['decisions', 3], todo: ['pending', 1], done: ['completed', 1] } as const;

/** Choices and to-dos that were named as such, and to-dos that were ticked off. */
export function linesStated({ ledger }: Ledger, momentOf: (entry: EntryId) => TurnMoment): Line[] {
  return ledger.flatMap(({ kind, text, entry }): Line[] => {
    const stated = Object.hasOwn(STATED, kind) ? STATED[kind as keyof typeof STATED] : undefined;
    if (!stated) return [];
    const [section, value] = stated;
    return [
      createLine({ text, from: [entry], by: 'agent', act: 'told', section, value, ...momentOf(entry) }),
    ];
  });
}

/** A line that a merge of branches dropped, in other words too. */
export function isGone({ section, text, from }: Line, gone: readonly Gone[]): boolean {
  return gone.some(
    (line) =>
      line.list === section && sameLine(line.text, text) && from.every((id) => line.from.includes(id)),
  );
}
