import { KINDS, SPACE_SYMBOL, SYMBOL_BITS } from './character-table.ts';
import { PAIR_WEIGHTS } from './pair-weights.ts';
import { createTokenModel, type TokenModel } from './token-model.ts';
import { OWN_WEIGHTS, START_WEIGHTS, STEP_WEIGHTS } from './token-weights.ts';

/** What the scanner looks up for every character; made once, from the weights. */
interface CountTables {
  /** Kind and symbol of every code unit: `kind << SYMBOL_BITS | symbol`. */
  readonly characters: Uint16Array;
  /** For every state and every kind: what the step costs, above the state it leads to, which is a multiple of 16. */
  readonly moves: Int32Array;
  /** What a symbol costs after another. */
  readonly pairs: Int16Array;
  readonly ascii: AsciiTables;
}

/** ASCII alone, by the characters themselves: small enough to stay close to the processor. */
interface AsciiTables {
  readonly kinds: Uint8Array;
  /** What a character costs after another: `previous << 7 | code`. */
  readonly pairs: Int16Array;
  /** For every two characters, the second in the high byte: what it costs after the first, above the kinds of both. */
  readonly twos: Int32Array;
  /** Two moves in one: for every state and the kinds of two characters, as `moves` has it. */
  readonly leaps: Int32Array;
}

export const COST_SHIFT = 16;
/** How many bits the kinds of two characters take. */
export const KIND_PAIR_BITS = 7;
/** A state is a multiple of 16 among the moves, and of 128 among the leaps. */
export const LEAP_SHIFT = KIND_PAIR_BITS - 4;

export function fillTables({ characters, moves, pairs, ascii }: CountTables): void {
  const model = createTokenModel();
  const weights = weightList(model);
  characters.set(model.characters);
  for (const [move, state] of model.steps.next.entries()) {
    moves[move] = (weights[state]! << COST_SHIFT) | (state << 4);
  }
  fillPairs(pairs, model, weights);
  fillAscii(ascii, { characters, moves, pairs });
}

function fillAscii(ascii: AsciiTables, { characters, moves, pairs }: Omit<CountTables, 'ascii'>): void {
  const symbolOf = (code: number) => characters[code]! & ((1 << SYMBOL_BITS) - 1);
  for (let code = 0; code < 128; code++) ascii.kinds[code] = characters[code]! >> SYMBOL_BITS;
  for (let first = 0; first < 128; first++) {
    for (let second = 0; second < 128; second++) {
      const cost = pairs[(symbolOf(first) << SYMBOL_BITS) | symbolOf(second)]!;
      ascii.pairs[(first << 7) | second] = cost;
      const kinds = kindPair(ascii.kinds[first]!, ascii.kinds[second]!);
      ascii.twos[first | (second << 8)] = (cost << KIND_PAIR_BITS) | kinds;
    }
  }
  for (let state = 0; state < moves.length; state += 16) {
    for (let first = 0; first < KINDS; first++) {
      for (let second = 0; second < KINDS; second++) {
        const move = moves[state | first]!;
        const next = moves[(move & 0xffff) | second]!;
        const cost = (move >> COST_SHIFT) + (next >> COST_SHIFT);
        ascii.leaps[(state << LEAP_SHIFT) | kindPair(first, second)] =
          (cost << COST_SHIFT) | ((next & 0xffff) << LEAP_SHIFT);
      }
    }
  }
}

const kindPair = (first: number, second: number) => first * KINDS + second;

function fillPairs(pairs: Int16Array, model: TokenModel, weights: Int32Array): void {
  const { grids, symbolNames, scriptOf, firstOwn, ownWeights, startWeights } = model;
  const own = weights.subarray(ownWeights, ownWeights + symbolNames.length - firstOwn);
  const withStart = (place: 0 | 1) =>
    own.map((weight, index) => {
      const script = scriptOf[firstOwn + index]!;
      return script < 0 ? weight : weight + weights[startWeights + script * 2 + place]!;
    });
  const afterSpace = withStart(0);
  const afterOther = withStart(1);
  for (let previous = 0; previous < symbolNames.length; previous++) {
    const row = previous << SYMBOL_BITS;
    for (const { at, first, size } of grids) {
      const from = at + (previous >= first && previous < first + size ? previous - first + 1 : 0) * size;
      pairs.set(weights.subarray(from, from + size), row + first);
    }
    pairs.set(previous === SPACE_SYMBOL ? afterSpace : afterOther, row + firstOwn);
    if (scriptOf[previous]! < 0) continue;
    for (let symbol = firstOwn; symbol < symbolNames.length; symbol++) {
      if (scriptOf[symbol] === scriptOf[previous]) pairs[row + symbol] = own[symbol - firstOwn]!;
    }
  }
}

/** The fitted weights in the order in which the model numbers them, in hundredths of a token. */
export function weightList(model: TokenModel): Int32Array {
  const list = new Int32Array(model.weightCount);
  for (const [step, name] of model.steps.names.entries()) list[step] = stepWeight(name);
  for (const { name, at, size } of model.grids) {
    for (const [row, line] of (PAIR_WEIGHTS[name] ?? []).entries())
      list.set(numbersIn(line), at + row * size);
  }
  list.set(
    model.symbolNames.slice(model.firstOwn).map((name) => OWN_WEIGHTS[name] ?? 0),
    model.ownWeights,
  );
  list.set(
    model.scriptNames.flatMap((name) => START_WEIGHTS[name] ?? [0, 0]),
    model.startWeights,
  );
  return list;
}

/** `word space lower 3` is the third weight of `word space lower`. */
function stepWeight(name: string): number {
  const whole = STEP_WEIGHTS[name];
  if (whole) return whole[0]!;
  const length = name.lastIndexOf(' ');
  return STEP_WEIGHTS[name.slice(0, length)]?.[Number(name.slice(length)) - 1] ?? 0;
}

/** A line starts with the symbol that it is for. */
function numbersIn(line: string): number[] {
  return line.slice(1).trim().split(/ +/).map(Number);
}
