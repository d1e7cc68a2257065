import { SPACE_SYMBOL, SYMBOL_BITS } from './character-table.ts';
import { createTokenModel, type TokenModel } from './token-model.ts';
import { weightList } from './weight-list.ts';

/** What the scanner looks up for every character; made once, from the weights. */
export interface CountTables {
  /** Kind and symbol of every code unit: `kind << SYMBOL_BITS | symbol`. */
  readonly characters: Uint16Array;
  /** For every state and every kind: what the step costs, above the state it leads to, which is a multiple of 16. */
  readonly moves: Int32Array;
  /** What a symbol costs after another. */
  readonly pairs: Int16Array;
  /** Kinds and pairs of ASCII alone, by the characters themselves: small enough to stay close to the processor. */
  readonly asciiKinds: Uint8Array;
  readonly asciiPairs: Int16Array;
}

export const COST_SHIFT = 16;

export function fillTables({ characters, moves, pairs, asciiKinds, asciiPairs }: CountTables): void {
  const model = createTokenModel();
  const weights = weightList(model);
  characters.set(model.characters);
  for (const [move, state] of model.steps.next.entries()) {
    moves[move] = (weights[state]! << COST_SHIFT) | (state << 4);
  }
  fillPairs(pairs, model, weights);
  const symbolOf = (code: number) => characters[code]! & ((1 << SYMBOL_BITS) - 1);
  for (let previous = 0; previous < 128; previous++) {
    asciiKinds[previous] = characters[previous]! >> SYMBOL_BITS;
    for (let code = 0; code < 128; code++) {
      asciiPairs[(previous << 7) | code] = pairs[(symbolOf(previous) << SYMBOL_BITS) | symbolOf(code)]!;
    }
  }
}

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
