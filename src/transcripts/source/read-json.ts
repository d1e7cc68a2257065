import type { DamageKind, TranscriptSource } from '../transcript.ts';
import type { Fields } from './recover-line.ts';

// A file that is one JSON value, read piece by piece: the items of its long list one after the other, and around them
// what the value holds besides. So a file of any length takes the memory of its longest item.

export type JsonPiece =
  /** An item of a list, as value and as it stood in the file. */
  | { readonly item: unknown; readonly text: string; readonly list: string; readonly n: number }
  /** The fields of the object that come before the list. */
  | { readonly head: Fields }
  /** All fields of the object, the list empty. */
  | { readonly whole: Fields }
  | { readonly damage: DamageKind };

/** `lists` names the fields whose items are given one by one; a value that is itself a list is the list "". */
export async function* readJson(
  source: TranscriptSource,
  { lists }: { lists: readonly string[] },
): AsyncGenerator<readonly JsonPiece[]> {
  const splitter = createJsonSplitter(lists);
  for await (const chunk of source.chunks()) {
    if (chunk === null) continue;
    const pieces = splitter.take(chunk);
    if (pieces.length > 0) yield pieces;
  }
  yield splitter.end();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function createJsonSplitter(lists: readonly string[]) {
  let buffer = Buffer.alloc(0);
  /** How far the buffer has been looked through. */
  let at = 0;
  let depth = 0;
  /** Where the text starts that we are in, or -1. */
  let quoted = -1;
  let key = '';
  let expectsKey = false;
  let list: { name: string; depth: number } | undefined;
  /** Where the item starts that we are in, or -1. */
  let start = -1;
  let n = 0;
  let skeleton = '';
  let headGiven = false;
  let over = false;

  function isEscaped(quote: number): boolean {
    let slashes = 0;
    while (quote - 1 - slashes > quoted && buffer[quote - 1 - slashes] === BACKSLASH) slashes++;
    return slashes % 2 === 1;
  }

  function giveItem(end: number, pieces: JsonPiece[]): void {
    const text = buffer.toString('utf8', start, end).trim();
    start = -1;
    if (text === '') return;
    try {
      pieces.push({ item: JSON.parse(text), text, list: list!.name, n: n++ });
    } catch {
      pieces.push({ damage: 'torn' });
    }
  }

  function open(symbol: number, from: number, pieces: JsonPiece[]): void {
    depth++;
    const isList = symbol === 0x5b;
    const isTop = depth === 1 && lists.includes('');
    const isField = depth === 2 && lists.includes(key);
    if (!list && isList && (isTop || isField)) {
      skeleton += buffer.toString('utf8', 0, at + 1);
      if (!isTop && !headGiven) {
        const head = parse(`${skeleton}]}`);
        if (head) pieces.push({ head });
        headGiven = true;
      }
      list = { name: isTop ? '' : key, depth };
      drop(from + 1);
    } else if (list && depth === list.depth + 1 && start < 0) start = from;
    if (!list) expectsKey = !isList && depth === 1;
  }

  function close(from: number, pieces: JsonPiece[]): void {
    if (list && depth === list.depth) {
      if (start >= 0) giveItem(from, pieces);
      list = undefined;
      drop(from);
    }
    depth--;
    if (depth <= 0) over = true;
  }

  /** Forgets the buffer up to here; `at` points at the symbol before. */
  function drop(upTo: number): void {
    buffer = buffer.subarray(upTo);
    at -= upTo;
  }

  function parse(text: string): Fields | undefined {
    try {
      return JSON.parse(text) as Fields;
    } catch {
      return undefined;
    }
  }

  function scan(pieces: JsonPiece[]): void {
    for (; at < buffer.length && !over; at++) {
      if (quoted >= 0) {
        const quote = buffer.indexOf(QUOTE, at);
        if (quote < 0) {
          at = buffer.length;
          return;
        }
        at = quote;
        if (isEscaped(quote)) continue;
        if (!list && depth === 1 && expectsKey) {
          key = parseKey(buffer.toString('utf8', quoted, quote + 1));
          expectsKey = false;
        }
        quoted = -1;
        continue;
      }
      const symbol = buffer[at]!;
      switch (symbol) {
        case QUOTE:
          if (list && depth === list.depth && start < 0) start = at;
          quoted = at;
          break;
        case 0x7b:
        case 0x5b:
          open(symbol, at, pieces);
          break;
        case 0x7d:
        case 0x5d:
          close(at, pieces);
          break;
        case 0x2c:
          if (list && depth === list.depth) {
            if (start >= 0) giveItem(at, pieces);
            drop(at + 1);
            at = -1;
          } else if (!list && depth === 1) expectsKey = true;
          break;
        default:
          if (symbol > 0x20 && list && depth === list.depth && start < 0) start = at;
      }
    }
  }

  return {
    take(chunk: Uint8Array): JsonPiece[] {
      const pieces: JsonPiece[] = [];
      if (over) return pieces;
      buffer = Buffer.concat([buffer, chunk]);
      scan(pieces);
      return pieces;
    },
    end(): JsonPiece[] {
      const pieces: JsonPiece[] = [];
      if (!over) pieces.push({ damage: 'torn' });
      if (lists.includes('') && skeleton === '[') return pieces;
      const full = skeleton + buffer.toString('utf8', 0, over ? at : buffer.length);
      const whole = parse(full) ?? parse(`${full}}`) ?? parse(`${skeleton}]}`);
      if (whole && typeof whole === 'object' && !Array.isArray(whole)) pieces.push({ whole });
      return pieces;
    },
  };
}

function parseKey(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return '';
  }
}
