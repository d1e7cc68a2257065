import { KIND, SYMBOL_BITS } from './character-table.ts';
import { fillTables } from './count-tables.ts';

// The next state of the scanner waits for the one before, and meanwhile the processor is idle. So the two halves of a
// text are scanned side by side. The state in the middle is guessed from the characters in front of it, which is nearly
// always right; when it is not, the second half is scanned again. Either way the sum is the same as in one go.

// Constants of this file, because then the engine knows where they are; filled on first use, because not every command
// counts.
const characters = new Uint16Array(0x10000);
const moves = new Int32Array(256 << 4);
const pairs = new Int16Array(1 << (2 * SYMBOL_BITS));
const asciiKinds = new Uint8Array(128);
const asciiPairs = new Int16Array(1 << 14);
let filled = false;

const SYMBOL_MASK = (1 << SYMBOL_BITS) - 1;
const STATE_MASK = 0xfff;
const COST_SHIFT = 16;

/** How far in front of the middle the guess begins: longer than nearly all words. */
const RUN_UP = 24;
/** Below this, two halves are not worth their start. */
const SHORT = 100;

const encoder = new TextEncoder();
const bytes = new Uint8Array(1 << 15);

/** The longest text that can be scanned at once. */
export const MOST_AT_ONCE = bytes.length;

/** Where the scanner stands, and what it came to so far, in hundredths of a token. */
export interface Scan {
  readonly cost: number;
  readonly state: number;
  /** The code unit before. At the start it is 0, which costs what nothing would. */
  readonly previous: number;
}

export const START: Scan = { cost: 0, state: 0, previous: 0 };

/** Goes on with `text`, which is at most `MOST_AT_ONCE` long. */
export function scanText(text: string, from: Scan): Scan {
  if (!filled) fillTables({ characters, moves, pairs, asciiKinds, asciiPairs });
  filled = true;
  const { length } = text;
  if (length < SHORT || from.previous > 127) return scanUnits(text, from);
  // Other scripts take more bytes than code units, unless the buffer was full before the text was at its end.
  const { read, written } = encoder.encodeInto(text, bytes);
  return read === length && written === length ? scanHalves(length, from) : scanUnits(text, from);
}

/** What the text came to, now that nothing follows. */
export function endScan({ cost, state }: Scan): number {
  return cost + (moves[state | KIND.end]! >> COST_SHIFT);
}

/** Text in any script. */
function scanUnits(text: string, from: Scan): Scan {
  let { cost, state, previous } = from;
  let symbol = characters[previous]! & SYMBOL_MASK;
  for (let i = 0; i < text.length; i++) {
    previous = text.charCodeAt(i);
    const character = characters[previous]!;
    const move = moves[state | (character >> SYMBOL_BITS)]!;
    const row = symbol << SYMBOL_BITS;
    symbol = character & SYMBOL_MASK;
    state = move & STATE_MASK;
    cost += (move >> COST_SHIFT) + pairs[row | symbol]!;
  }
  return { cost, state, previous };
}

/** The first `length` bytes, which are ASCII. */
function scanHalves(length: number, from: Scan): Scan {
  const middle = length >> 1;
  const guess = scanBytes(middle - RUN_UP, middle, {
    cost: 0,
    state: 0,
    previous: bytes[middle - RUN_UP - 1]!,
  });
  let { state, previous } = from;
  let { state: state2, previous: previous2 } = guess;
  let cost = 0;
  let cost2 = 0;
  for (let i = 0, j = middle; i < middle; i++, j++) {
    const code = bytes[i]! & 127;
    const move = moves[state | asciiKinds[code]!]!;
    state = move & STATE_MASK;
    cost = (cost + (move >> COST_SHIFT) + asciiPairs[(previous << 7) | code]!) | 0;
    previous = code;
    const code2 = bytes[j]! & 127;
    const move2 = moves[state2 | asciiKinds[code2]!]!;
    state2 = move2 & STATE_MASK;
    cost2 = (cost2 + (move2 >> COST_SHIFT) + asciiPairs[(previous2 << 7) | code2]!) | 0;
    previous2 = code2;
  }
  cost += from.cost;
  if (state !== guess.state) return scanBytes(middle, length, { cost, state, previous });
  return scanBytes(2 * middle, length, { cost: cost + cost2, state: state2, previous: previous2 });
}

function scanBytes(start: number, end: number, from: Scan): Scan {
  let { cost, state, previous } = from;
  for (let i = start; i < end; i++) {
    const code = bytes[i]! & 127;
    const move = moves[state | asciiKinds[code]!]!;
    state = move & STATE_MASK;
    cost += (move >> COST_SHIFT) + asciiPairs[(previous << 7) | code]!;
    previous = code;
  }
  return { cost, state, previous };
}
