import type { DamageKind } from '../transcript.ts';
import { endOfValue } from './end-of-value.ts';

/** A JSON object as it stood in a line. */
export interface Fields {
  readonly [field: string]: unknown;
}

/** What could be made of a line that is not one JSON object. */
export interface Recovered {
  readonly pieces: readonly (Whole | Fragment)[];
  readonly damage: readonly DamageKind[];
}

export interface Whole {
  readonly value: Fields;
  readonly text: string;
}

/** Text that is not a whole record. `open`: it starts like one and stops, so its end may be on the next line. */
export interface Fragment {
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
