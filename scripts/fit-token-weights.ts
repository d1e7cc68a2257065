// Fits the weights of the token estimate (token-weights.ts and pair-weights.ts in src/tokens) to OpenAI's o200k.
//
//   node scripts/fit-token-weights.ts <folder>[=<weight>[@<aim>]] … [--only=<names>] [--write]
//
// Prints both files; with --write it replaces them, and the formatter has to run after it. With --only, a regular expression
// over the names that both files have, all other weights stay what they are: for new classes of characters.
// Each folder is one sort of text (a language, a programming language, agent messages …) and is read with everything
// below it. Folders count alike, however large they are; `=3` makes one count three times, and `=3@1.1` aims 10 % high
// instead of BIAS, for text that differs much from one to the next. Three files in four are
// fitted and the fourth is held out: how far the new weights are off on those goes to stderr. Aim for many sorts of
// text; a few hundred kilobytes of each are enough. Then run the accuracy tests, and `npm run bench -- tokens`.
//
// The estimate is a sum of weights, so this is least squares: the weights that make estimate ÷ count come closest to
// BIAS over windows of text. They are kept from going below zero (an estimate must not fall as text is added, and
// endless text must not be free), and pulled weakly towards a guess, which decides where the text says little.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { KIND, SYMBOL_BITS } from '../src/tokens/character-table.ts';
import { weightList } from '../src/tokens/count-tables.ts';
import { createTokenModel, type Grid, pairWeights } from '../src/tokens/token-model.ts';

const BIAS = 1.04;
const PULL = 1e-4;
const SWEEPS = 600;
const WINDOW = 4000;
const MOST_WINDOWS = 300;
const REPORT_TOKENS = 8000;
const PRINTED =
  '// Printed by scripts/fit-token-weights.ts, which says how they were fitted. In hundredths of a token.\n';

interface Window {
  readonly text: string;
  readonly tokens: number;
}

interface Sort {
  readonly name: string;
  readonly weight: number;
  readonly aim: number;
  readonly fitted: readonly Window[];
  readonly heldOut: readonly Window[];
}

const model = createTokenModel();
const symbolCount = model.symbolNames.length;
/** By previous symbol, then by symbol. */
const pairs = Array.from({ length: symbolCount }, (_, previous) =>
  Array.from({ length: symbolCount }, (_, symbol) => pairWeights(model, { previous, symbol })),
);
const write = process.argv.includes('--write');
const only = process.argv.find((argument) => argument.startsWith('--only='))?.slice('--only='.length);
const isFree = freeWeights(only === undefined ? /^/ : new RegExp(only));
const sorts = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--'))
  .map(readSort);
if (sorts.length === 0) throw new Error('Give at least one folder of text: see the top of this file.');
const weights = solve(sorts).map((weight) => Math.round(weight * 100));
for (const sort of sorts) console.error(reportOn(sort));
for (const [file, source] of [
  ['token-weights.ts', tokenWeightsFile(weights)],
  ['pair-weights.ts', pairWeightsFile(weights)],
] as const) {
  if (write) writeFileSync(new URL(`../src/tokens/${file}`, import.meta.url), source);
  else console.log(source);
}

function readSort(argument: string): Sort {
  const [folder, how = '1'] = argument.split('=') as [string, string?];
  const [weight, aim = BIAS] = how.split('@');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const windows = files
    .map((file) => path.join(file.parentPath, file.name))
    .sort()
    .map((file) => cutIntoWindows(readFileSync(file, 'utf8')));
  return {
    name: path.basename(folder),
    weight: Number(weight),
    aim: Number(aim),
    fitted: thin(windows.filter((_, index) => index % 4 !== 0).flat()),
    heldOut: windows.filter((_, index) => index % 4 === 0).flat(),
  };
}

function cutIntoWindows(text: string): Window[] {
  const windows: Window[] = [];
  for (let from = 0; from < text.length; ) {
    const line = text.lastIndexOf('\n', from + WINDOW);
    const to = from + WINDOW < text.length && line > from + WINDOW / 2 ? line : from + WINDOW;
    const piece = text.slice(from, to);
    if (piece.length > WINDOW / 10) windows.push({ text: piece, tokens: countTokens(piece) });
    from = to;
  }
  return windows;
}

function thin(windows: readonly Window[]): Window[] {
  const step = Math.max(1, windows.length / MOST_WINDOWS);
  return Array.from(
    { length: Math.min(windows.length, MOST_WINDOWS) },
    (_, i) => windows[Math.floor(i * step)]!,
  );
}

/** How often each weight is added for this text. */
function tally(text: string): Float64Array {
  const counts = new Float64Array(model.weightCount);
  let step = 0;
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const character = model.characters[text.charCodeAt(i)]!;
    const symbol = character & ((1 << SYMBOL_BITS) - 1);
    step = model.steps.next[(step << 4) | (character >> SYMBOL_BITS)]!;
    counts[step]! += 1;
    for (const weight of pairs[previous]![symbol]!) counts[weight]! += 1;
    previous = symbol;
  }
  counts[model.steps.next[(step << 4) | KIND.end]!]! += 1;
  return counts;
}

function solve(sorts: readonly Sort[]): Float64Array {
  const size = model.weightCount;
  const now = weightList(model);
  const guess = guessWeights().map((weight, index) => (isFree[index] ? weight : now[index]! / 100));
  const free = [...guess.keys()].filter((weight) => isFree[weight] && !isExact(weight));
  const products = new Map(free.map((weight) => [weight, new Float64Array(size)]));
  const slope = new Float64Array(size);
  for (const { weight, aim, fitted } of sorts) {
    for (const { text, tokens } of fitted) {
      const counts = tally(text).map((count) => count / tokens);
      const touched = [...counts.keys()].filter((index) => counts[index] !== 0);
      for (const a of touched) {
        const row = products.get(a);
        if (!row) continue;
        const share = (counts[a]! * weight) / fitted.length;
        slope[a]! -= share * aim;
        for (const b of touched) row[b]! += share * counts[b]!;
      }
    }
  }
  const least = guess.map((_, weight) => leastWeight(model.steps.names[weight] ?? ''));
  const found = guess.map((weight, index) => (isFree[index] ? Math.max(weight, least[index]!) : weight));
  for (const a of free) for (let b = 0; b < size; b++) slope[a]! += products.get(a)![b]! * found[b]!;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const a of free) {
      const row = products.get(a)!;
      if (row[a] === 0) continue;
      const step = (slope[a]! + PULL * (found[a]! - guess[a]!)) / (row[a]! + PULL);
      const moved = Math.max(least[a]!, found[a]! - step) - found[a]!;
      if (moved === 0) continue;
      found[a]! += moved;
      // Seen from either side, two weights meet as often.
      for (const b of free) slope[b]! += row[b]! * moved;
    }
  }
  return found;
}

/** Which weights are fitted: steps by their name, letters by that of their table, everything else by that of its class. */
function freeWeights(names: RegExp): boolean[] {
  const free = Array.from({ length: model.weightCount }, () => false);
  for (const [step, name] of model.steps.names.entries()) free[step] = names.test(name);
  for (const { name, at, size } of model.grids) free.fill(names.test(name), at, at + (size + 1) * size);
  for (const [index, name] of model.symbolNames.slice(model.firstOwn).entries())
    free[model.ownWeights + index] = names.test(name);
  for (const [index, name] of model.scriptNames.entries())
    free.fill(names.test(name), model.startWeights + index * 2, model.startWeights + index * 2 + 2);
  return free;
}

/** Steps that can be taken over and over: whatever the neighbours cost, no endless text is free. */
function leastWeight(step: string): number {
  if (/^word .* 12$/.test(step)) return 0.08;
  if (/^(spaced )?script 8$/.test(step)) return 0.05;
  if (step === 'newline newline') return 0.02;
  return /^(space|tab|marks) \w+ 3$/.test(step) ? 0.01 : 0;
}

/** Three digits are one token, always. */
function isExact(weight: number): boolean {
  return /^(start|end|digits \d)$/.test(model.steps.names[weight] ?? '');
}

function guessWeights(): Float64Array {
  const guess = new Float64Array(model.weightCount).fill(0.5);
  for (const [step, name] of model.steps.names.entries()) guess[step] = guessStep(name);
  guess.fill(0.3, model.grids[0]!.at, model.grids.at(-1)!.at);
  guess.fill(1.5, model.ownWeights, model.startWeights);
  return guess;
}

function guessStep(name: string): number {
  if (/^(spaced digits|marks tab 1)/.test(name)) return 2;
  if (/^(digits 1|(space|tab) \w+ 2|marks \w+ 1|newline (text|blanks)|end after blank)$/.test(name)) return 1;
  if (/^word (none|space|glued) \w+ 1$/.test(name)) return 0.5;
  return 0;
}

function reportOn({ name, heldOut }: Sort): string {
  const errors: number[] = [];
  let tokens = 0;
  let estimate = 0;
  for (const window of heldOut) {
    tokens += window.tokens;
    for (const [index, count] of tally(window.text).entries()) estimate += (count * weights[index]!) / 100;
    if (tokens < REPORT_TOKENS) continue;
    errors.push((estimate / tokens - 1) * 100);
    tokens = estimate = 0;
  }
  if (tokens > REPORT_TOKENS / 4) errors.push((estimate / tokens - 1) * 100);
  if (errors.length === 0) return `${name}: too little held out`;
  errors.sort((a, b) => a - b);
  const at = (share: number) =>
    errors[Math.min(errors.length - 1, Math.floor(errors.length * share))]!.toFixed(1);
  return `${name}: lowest ${at(0)} %, median ${at(0.5)} %, 95th percentile ${at(0.95)} % (${errors.length} windows)`;
}

function tokenWeightsFile(weights: Float64Array): string {
  const families = new Map<string, number[]>();
  for (const [step, name] of model.steps.names.entries()) {
    const [, family, length] = /^(.*?)(?: (\d+))?$/.exec(name)!;
    const list = families.get(family!) ?? [];
    list[Number(length ?? 1) - 1] = weights[step]!;
    families.set(family!, list);
  }
  const steps = [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, list]) => `  ${key(name)}: [${Array.from(list, (weight) => weight ?? 0).join(', ')}],`);
  const own = model.symbolNames
    .slice(model.firstOwn)
    .map((name, index) => `  ${key(name)}: ${weights[model.ownWeights + index]},`);
  const starts = model.scriptNames.map((name, index) => {
    const from = model.startWeights + index * 2;
    return `  ${key(name)}: [${weights.subarray(from, from + 2).join(', ')}],`;
  });
  return `${PRINTED}
/** What each step of the scanner costs, by length where it has one. */
export const STEP_WEIGHTS: Readonly<Record<string, readonly number[]>> = {
${steps.join('\n')}
};

/** Marks beyond ASCII and letters beyond the alphabets. */
export const OWN_WEIGHTS: Readonly<Record<string, number>> = {
${own.join('\n')}
};

/** The first letter of a script: after a space, and after anything else. */
export const START_WEIGHTS: Readonly<Record<string, readonly [number, number]>> = {
${starts.join('\n')}
};
`;
}

function pairWeightsFile(weights: Float64Array): string {
  const grids = model.grids.map((grid) => `  ${grid.name}: [\n${gridRows(grid, weights)}\n  ],`);
  return `${PRINTED}
/** The symbol of the column after the symbol of the row, or (first row) after anything that is not in the table. */
export const PAIR_WEIGHTS: Readonly<Record<string, readonly string[]>> = {
${grids.join('\n')}
};
`;
}

function key(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`;
}

function gridRows({ at, first, size }: Grid, weights: Float64Array): string {
  const label = (row: number) => (row === 0 ? '·' : model.symbolNames[first + row - 1]!);
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell) => String(cell).padStart(4)).join('');
  const header = `    //   ${line(Array.from({ length: size }, (_, column) => label(column + 1)))}`;
  const rows = Array.from({ length: size + 1 }, (_, row) => {
    const from = at + row * size;
    return `    ${JSON.stringify(`${label(row)} ${line([...weights.subarray(from, from + size)])}`)},`;
  });
  return [header, ...rows].join('\n');
}
