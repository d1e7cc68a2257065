import { FULL_STOP, Letters, LINE_END, LOWER, SPACE } from '../../text/index.ts';
import { LONGEST_TOKEN } from './read-token.ts';
import { UnitRows, type UnitSource, type Units } from './unit-rows.ts';

const LONGEST_UNIT = 320;

/** Splits all sources into sentences; code blocks are left out. Words in `dropped` count for nothing. */
export function readUnits(sources: readonly UnitSource[], dropped: ReadonlySet<number>): Units {
  const letters = new Letters();
  const rows = new UnitRows(letters, dropped);
  sources.forEach((source, index) => {
    letters.load(source.text);
    rows.begin(source, index);
    readText(source.text, { letters, rows });
  });
  return rows.finish();
}

function readText(text: string, { letters, rows }: { letters: Letters; rows: UnitRows }): void {
  const { kinds } = letters;
  let fenced = false;
  let lineStart = true;
  for (let at = 0; at < text.length; ) {
    const kind = kinds[at];
    if (kind === SPACE || kind === LINE_END) {
      if (kind === LINE_END) {
        rows.close(at);
        lineStart = true;
      }
      at++;
      continue;
    }
    const end = tokenEnd(letters, at);
    if (lineStart) {
      DATA_LINE.lastIndex = at;
      if (DATA_LINE.test(text)) {
        at = lineEnd(text, at);
        continue;
      }
      const fence = text.startsWith('```', at) || text.startsWith('~~~', at);
      if (fence) fenced = !fenced;
      if (fence || fenced) {
        at = lineEnd(text, at);
        continue;
      }
      lineStart = false;
      if (isListMark(text, at, end)) {
        at = end;
        continue;
      }
    }
    rows.add(at, end);
    if (endsSentence(letters, end) || end - rows.opened > LONGEST_UNIT) rows.close(end);
    at = end;
  }
  rows.close(text.length);
}

function tokenEnd({ kinds, length }: Letters, start: number): number {
  const most = Math.min(length, start + LONGEST_TOKEN);
  let end = start;
  while (end < most) {
    const kind = kinds[end];
    if (kind === SPACE || kind === LINE_END) break;
    end++;
    if (kind === FULL_STOP) break;
  }
  return end;
}

function lineEnd(text: string, start: number): number {
  const end = text.indexOf('\n', start);
  return end < 0 ? text.length : end;
}

/** A stack frame, or a line of a file as tools print it with its number. */
const DATA_LINE = /at \S[^\n]{0,300}:\d+:\d+\)?[ \t]*(?=\n|$)|\d{1,6}(?:[→│|]|:[ \t]|:(?=\n)|\t)/y;

/** A bullet, a heading mark or a number with a dot: how a list looks, not what it says. */
function isListMark(text: string, start: number, end: number): boolean {
  return end - start <= 6 && /^(?:[^\p{L}\p{N}]+|\d{1,3}[.)])$/u.test(text.slice(start, end));
}

/** A full stop, question or exclamation mark before a space, unless a small letter follows, as after "e.g.". */
function endsSentence({ kinds, small, length }: Letters, end: number): boolean {
  let last = end - 1;
  while (last > 0 && CLOSING.has(small[last]!)) last--;
  if (kinds[last] === FULL_STOP) return true;
  const mark = small[last]!;
  if (!ENDS.has(mark)) return false;
  let next = end;
  while (next < length && kinds[next] === SPACE) next++;
  return next >= length || mark !== POINT || kinds[next] !== LOWER;
}

const POINT = 46;
const ENDS = new Set([...'.!?…'].map((mark) => mark.charCodeAt(0)));
const CLOSING = new Set([...`"')]*_\`”’»」』`].map((mark) => mark.charCodeAt(0)));
