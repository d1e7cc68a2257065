import {
  COMMON,
  contentWords,
  type Line,
  measuresIn,
  namesSomething,
  sharedWords,
  withoutItems,
} from '../../text/index.ts';
import { ticketsIn, ticketsOf } from './tickets.ts';

/** Names that stand for one thing only: files, identifiers, text in code marks. */
const ENTITY =
  /`([^`\n]{2,60})`|\b([\w-]+(?:\.[a-z]{1,5})+)\b|\b([a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[A-Z]{3,}|\w+_\w+)\b|#(\d{2,})\b/g;

export function entitiesIn(text: string): Set<string> {
  const found = new Set<string>();
  for (const [, ...groups] of text.matchAll(ENTITY)) {
    const name = groups.find((group) => group !== undefined);
    if (name) found.add(name.toLowerCase());
  }
  return found;
}

/** Names of one of many alike, as files and numbered things are: two of them are two things. */
export function singledOut(text: string): string[] {
  return [...entitiesIn(text)].filter((name) => /[\p{N}._]/u.test(name));
}

/**
 * The lines without open points that something later closed: a request that takes them up, a report that names the same
 * thing. What the end of the range leaves open stays; of several wordings the newest stays.
 */
export function settleOpen(lines: readonly Line[], lastTurn: number): Line[] {
  const reported = new Set(
    lines.flatMap(({ by, act, from }) => (by === 'user' && act === 'done' ? from : [])),
  );
  const reports = ({ section, act, from }: Line) =>
    section === 'completed' || act === 'asked' || act === 'changed' || from.some((id) => reported.has(id));
  const closing = lines.filter((line) => line.act !== 'carried' && reports(line) && !isOpenPoint(line));
  const small = closing.map(({ text }) => text.toLowerCase());
  const open = lines.filter(isOpenPoint).sort((a, b) => a.place - b.place);
  const countNames = wordsInCommon(closing, namesSomething);
  const countWords = wordsInCommon(open);
  const gone = new Set<Line>();
  open.forEach((line, at) => {
    const words = countWords(line.words);
    const again = open.some(
      (other, place) => place > at && other.turn > line.turn && words[place]! * 4 >= line.words.size * 3,
    );
    if (again || isAnswered(line, lines) || (line.turn < lastTurn && isClosed(line))) gone.add(line);
  });
  const finished = finishedTickets(closing);
  return lines.flatMap((line) => {
    if (gone.has(line)) return [];
    return isOpenPoint(line) && line.turn < lastTurn ? (withoutFinished(line, finished) ?? []) : [line];
  });

  function isClosed(line: Line): boolean {
    if (line.words.size < 2) return false;
    const point = { line, entities: [...entitiesIn(line.text)], named: namedIn(line.text) };
    const counts = countNames(line.words);
    return closing.some(
      (report, at) =>
        report.place > line.place &&
        report.turn > line.turn &&
        closes({ line: report, small: small[at]!, shared: counts[at]! }, point),
    );
  }
}

/** By ticket: where it was last reported done. */
function finishedTickets(closing: readonly Line[]): ReadonlyMap<string, Line> {
  const finished = new Map<string, Line>();
  for (const line of closing) {
    if (line.section !== 'completed') continue;
    for (const ticket of (line.items ?? [line.text]).flatMap(ticketsOf))
      if (line.place > (finished.get(ticket)?.place ?? Number.NEGATIVE_INFINITY)) finished.set(ticket, line);
  }
  return finished;
}

/** Of a list of what remains, the items whose tickets were all reported done go; a sentence goes when all it names are. */
function withoutFinished(line: Line, finished: ReadonlyMap<string, Line>): Line | undefined {
  return withoutItems(line, (item) => {
    const tickets = ticketsIn(item);
    return (
      tickets.length > 0 &&
      !/[?？]/.test(item) &&
      tickets.every((ticket) => {
        const report = finished.get(ticket);
        return report !== undefined && report.place > line.place && report.turn > line.turn;
      })
    );
  });
}

/** A question that stood in the way, and that the next words of the person are about. */
function isAnswered({ section, by, turn, words }: Line, lines: readonly Line[]): boolean {
  if (section !== 'blockers' || by !== 'agent') return false;
  return lines.some(
    (line) => line.by === 'user' && line.turn === turn + 1 && sharedWords(line.words, words) > 0,
  );
}

/** Waits to be done, or for what stands in its way. */
export function isOpenPoint({ section }: Line): boolean {
  return section === 'pending' || section === 'blockers';
}

interface Point {
  readonly line: Line;
  readonly entities: readonly string[];
  /** Words of the names in it. */
  readonly named: readonly string[];
}

/** A line that tells of work, in small letters also, and how many names it shares with the open point. */
interface Report {
  readonly line: Line;
  readonly small: string;
  readonly shared: number;
}

function closes({ line, small, shared }: Report, { line: open, entities, named }: Point): boolean {
  const isDone = line.section === 'completed';
  if (!isDone && line.act !== 'asked' && line.act !== 'changed') return countsTheSame(line, open);
  if (entities.length > 0 && isDone) return entities.every((name) => small.includes(name));
  if (line.act === 'done' && line.by === 'user' && named.some((name) => line.words.has(name))) return true;
  const size = open.words.size;
  if (isDone) return shared >= 3 || shared * 5 >= size * 3 || (line.by === 'user' && shared >= 2);
  return shared * 5 >= size * 4 && shared >= 3;
}

/** "122 branches deleted" closes the line about the 122 branches. A time or a sum is common to many things. */
function countsTheSame(report: Line, open: Line): boolean {
  const counted = measuresIn(open.text);
  return [...measuresIn(report.text)].some(
    ([unit, figures]) =>
      !COMMON.test(unit) &&
      [...figures].some((figure) => figure.length > 1 && counted.get(unit)?.has(figure)),
  );
}

const NAME = /(?<=[\p{L}\p{N},;] )\p{Lu}\p{L}{2,}/gu;

/** "Olu answered" closes what waited for Olu: the words of the names that the report has to name one of. */
function namedIn(text: string): string[] {
  return [...text.matchAll(NAME)].flatMap(([name]) => [...contentWords(name)]);
}

/**
 * How many words each line of a list has in common with others, counted for the whole list at once: to hold every line
 * against every other would take the square of their number. The counts are only good until the next call.
 */
function wordsInCommon(
  lines: readonly Line[],
  isCounted: (word: string) => boolean = () => true,
): (words: ReadonlySet<string>) => Int32Array {
  const places = new Map<string, number[]>();
  lines.forEach(({ words }, at) => {
    for (const word of words) {
      const known = places.get(word);
      if (known) known.push(at);
      else if (isCounted(word)) places.set(word, [at]);
    }
  });
  const counts = new Int32Array(lines.length);
  return (words) => {
    counts.fill(0);
    for (const word of words) for (const at of places.get(word) ?? NOWHERE) counts[at]!++;
    return counts;
  };
}

const NOWHERE: readonly number[] = [];
