import type { DamageKind } from '../transcript.ts';

/** A JSON object as it stood in a line. */
export interface Fields {
  readonly [field: string]: unknown;
}

/** What could be made of a line that is not one JSON object. */
interface Recovered {
  readonly pieces: readonly (Whole | Fragment)[];
  readonly damage: readonly DamageKind[];
}

interface Whole {
  readonly value: Fields;
  readonly text: string;
}

/** Text that is not a whole record. `open`: it starts like one and stops, so its end may be on the next line. */
interface Fragment {
  readonly value?: undefined;
  readonly text: string;
  readonly open: boolean;
}

/** How many places inside a torn line are tried as the start of the next record. */
const MOST_TRIES = 2000;

/**
 * Finds every whole record in a line: several glued together, after a torn one, between bytes of zero. `isRecord` tells a
 * record from any other object, so that a part of a torn record is not taken for one. A torn line in the `growing` end of a
 * file is not examined: the rest of it may be on its way.
 */
export function recoverLine(
  line: string,
  isRecord: (value: Fields) => boolean,
  { growing = false }: { growing?: boolean } = {},
): Recovered {
  const damage: DamageKind[] = [];
  const bare = line.startsWith('\ufeff') ? line.slice(1) : line;
  const text = bare.includes('\0') ? bare.replaceAll('\0', ' ') : bare;
  if (text !== bare) damage.push('nul');
  const pieces: (Whole | Fragment)[] = [];
  for (let from = skipBlank(text, 0); from < text.length; ) {
    const next = wholeAt(text, from) ?? (growing ? undefined : findRecord(text, from + 1, isRecord));
    const start = next?.start ?? text.length;
    if (start > from) {
      const torn = text.slice(from, start);
      const open = next === undefined && torn.startsWith('{') && endOfValue(torn, 0) < 0;
      if (torn.trim() !== '') {
        pieces.push({ text: torn, open });
        if (!open) damage.push(endOfValue(torn, 0) < 0 ? 'torn' : 'misshapen');
      }
    }
    if (!next) break;
    if (pieces.some((piece) => piece.value)) damage.push('glued');
    pieces.push({ value: next.value, text: text.slice(next.start, next.end) });
    from = skipBlank(text, next.end);
  }
  return { pieces, damage };
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly value: Fields;
}

function wholeAt(text: string, start: number): Found | undefined {
  if (text[start] !== '{') return undefined;
  const end = endOfValue(text, start);
  if (end < 0) return undefined;
  const value = parseObject(text.slice(start, end));
  return value && { start, end, value };
}

function findRecord(text: string, from: number, isRecord: (value: Fields) => boolean): Found | undefined {
  let tries = 0;
  for (let at = text.indexOf('{"', from); at >= 0 && tries < MOST_TRIES; at = text.indexOf('{"', at + 1)) {
    tries++;
    const found = wholeAt(text, at);
    if (found && isRecord(found.value) && isApart(text, found.end)) return found;
  }
  return undefined;
}

/** Behind a record comes another one or nothing; behind a part of one comes more of it. */
function isApart(text: string, end: number): boolean {
  const next = skipBlank(text, end);
  return next === text.length || text[next] === '{';
}

/** The object that a text is, or `undefined`. */
export function parseObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Fields)
      : undefined;
  } catch {
    return undefined;
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at++;
  return at;
}

/**
 * Where the JSON object or array that starts at `from` ends (just behind its bracket), or -1 if it does not end in this
 * text. Only brackets and strings are looked at; whether it is sound JSON is for the parser to say.
 */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at = endOfString(text, at + 1);
      if (at < 0) return -1;
    } else if (unit === OPEN_BRACE || unit === OPEN_BRACKET) depth++;
    else if (unit === CLOSE_BRACE || unit === CLOSE_BRACKET) {
      depth--;
      if (depth <= 0) return at + 1;
    }
  }
  return -1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The place of the closing quote of a string whose inside starts at `from`, or -1. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH && at - 1 - slashes >= from) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return -1;
}
