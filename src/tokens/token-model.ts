import {
  type CharacterTable,
  createCharacterTable,
  SPACE_SYMBOL,
  type SymbolGroup,
} from './character-table.ts';
import { createScannerSteps, type ScannerSteps } from './scanner-steps.ts';

// An estimate is a sum: for every character one weight for the step that the scanner takes, and one or two for the
// character and the one before it. The weights are one flat list; the model says which of them a character touches.
// Being a plain sum of weights that are never negative is what makes the estimate fast, lets it only grow as text is
// added, and lets the weights be fitted by least squares.

/** What each symbol of a group costs after each of the same group (rows 1 to `size`) and after anything else (row 0). */
export interface Grid extends SymbolGroup {
  /** Where its weights are, row by row. */
  readonly at: number;
}

export interface TokenModel extends CharacterTable {
  readonly steps: ScannerSteps;
  readonly grids: readonly Grid[];
  /** The first symbol without a grid; from here on each has one weight, whatever is before it. */
  readonly firstOwn: number;
  readonly ownWeights: number;
  /** Two weights for each script: for a first letter after a space, and after anything else. */
  readonly startWeights: number;
  readonly weightCount: number;
}

export function createTokenModel(): TokenModel {
  const table = createCharacterTable();
  const steps = createScannerSteps();
  let at = steps.names.length;
  const grids = table.groups.map((group) => {
    const grid = { ...group, at };
    at += (group.size + 1) * group.size;
    return grid;
  });
  const last = grids.at(-1)!;
  const firstOwn = last.first + last.size;
  const startWeights = at + table.symbolNames.length - firstOwn;
  const weightCount = startWeights + table.scriptNames.length * 2;
  return { ...table, steps, grids, firstOwn, ownWeights: at, startWeights, weightCount };
}

/** The weights that `symbol` adds when it comes after `previous`: what the tables of the estimate are made from. */
export function pairWeights(model: TokenModel, pair: { previous: number; symbol: number }): number[] {
  const { previous, symbol } = pair;
  if (symbol < model.firstOwn) {
    const grid = gridOf(model, symbol);
    if (!grid) return [];
    const row = gridOf(model, previous) === grid ? previous - grid.first + 1 : 0;
    return [grid.at + row * grid.size + symbol - grid.first];
  }
  const own = model.ownWeights + symbol - model.firstOwn;
  const script = model.scriptOf[symbol]!;
  if (script < 0 || script === model.scriptOf[previous]) return [own];
  return [own, model.startWeights + script * 2 + (previous === SPACE_SYMBOL ? 0 : 1)];
}

function gridOf({ grids }: TokenModel, symbol: number): Grid | undefined {
  return grids.find(({ first, size }) => symbol >= first && symbol < first + size);
}
