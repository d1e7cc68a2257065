import { PAIR_WEIGHTS } from './pair-weights.ts';
import type { TokenModel } from './token-model.ts';
import { OWN_WEIGHTS, START_WEIGHTS, STEP_WEIGHTS } from './token-weights.ts';

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
