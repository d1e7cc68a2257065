import { contentWords, sharedNames, sharedWords } from './language/content-words.ts';
import type { Line } from './lines.ts';
import { COMMON, measuresIn } from './measures.ts';

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
  const closing = lines.filter((line) => line.act !== 'carried' && reports(line));
  const open = lines.filter(isOpen).sort((a, b) => a.place - b.place);
  const gone = new Set<Line>();
  open.forEach((line, at) => {
    const names = entitiesIn(line.text);
    const again = open.slice(at + 1).some((other) => other.turn > line.turn && repeats(other, line));
    const answered =
      line.section === 'blockers' &&
      line.by === 'agent' &&
      lines.some(
        ({ by, turn, words }) =>
          by === 'user' && turn === line.turn + 1 && sharedWords(words, line.words) > 0,
      );
    const closed =
      line.turn < lastTurn &&
      closing.some(
        (other) => other.place > line.place && other.turn > line.turn && closes(other, line, names),
      );
    if (again || closed || answered) gone.add(line);
  });
  return lines.filter((line) => !gone.has(line));
}

/** Waits to be done, or for what stands in its way. */
export function isOpen({ section }: Line): boolean {
  return section === 'pending' || section === 'blockers';
}

function repeats(later: Line, earlier: Line): boolean {
  return sharedWords(later.words, earlier.words) * 4 >= earlier.words.size * 3;
}

function closes(report: Line, open: Line, names: ReadonlySet<string>): boolean {
  if (isOpen(report) || open.words.size < 2) return false;
  if (report.section !== 'completed' && report.act !== 'asked' && report.act !== 'changed')
    return countsTheSame(report, open);
  if (names.size > 0 && report.section === 'completed') {
    const text = report.text.toLowerCase();
    return [...names].every((name) => text.includes(name));
  }
  if (report.act === 'done' && report.by === 'user' && namesTheSame(report, open)) return true;
  const shared = sharedNames(report.words, open.words);
  if (report.section === 'completed')
    return shared >= 3 || shared * 5 >= open.words.size * 3 || (report.by === 'user' && shared >= 2);
  return shared * 5 >= open.words.size * 4 && shared >= 3;
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

/** "Olu answered" closes what waited for Olu: the report names what the open point names. */
function namesTheSame(report: Line, open: Line): boolean {
  const names = [...open.text.matchAll(NAME)].flatMap(([name]) => [...contentWords(name)]);
  return names.some((name) => report.words.has(name));
}
