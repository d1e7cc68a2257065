import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KIND, SYMBOL_BITS } from '../../src/tokens/character-table.ts';
import { weightList } from '../../src/tokens/count-tables.ts';
import { countText } from '../../src/tokens/index.ts';
import { createTokenModel, pairWeights } from '../../src/tokens/token-model.ts';

const model = createTokenModel();
const weights = weightList(model);
const fixtures = new URL('../fixtures/tokens/', import.meta.url);

it('fits into the tables of the estimate', () => {
  expect(model.steps.names.length).toBeLessThanOrEqual(256);
  expect(model.symbolNames.length).toBeLessThanOrEqual(1 << SYMBOL_BITS);
});

it('has a weight for every step, grid and symbol, none of them negative', () => {
  expect(weights.every((weight) => weight >= 0)).toBe(true);
  for (const name of ['digits 1', 'word space lower 12', 'newline text', 'script 8']) {
    expect(model.steps.names).toContain(name);
  }
  for (const { name, at, size } of model.grids) {
    expect([name, weights.subarray(at, at + (size + 1) * size).some((weight) => weight > 0)]).toEqual([
      name,
      true,
    ]);
  }
});

/** Character by character, from the weights themselves. */
function slowCount(text: string): number {
  let sum = 0;
  let step = 0;
  let previous = 0;
  for (let i = 0; i < text.length; i++) {
    const character = model.characters[text.charCodeAt(i)]!;
    const symbol = character & ((1 << SYMBOL_BITS) - 1);
    step = model.steps.next[(step << 4) | (character >> SYMBOL_BITS)]!;
    sum += weights[step]!;
    for (const weight of pairWeights(model, { previous, symbol })) sum += weights[weight]!;
    previous = symbol;
  }
  sum += weights[model.steps.next[(step << 4) | KIND.end]!]!;
  return Math.ceil(sum / 100);
}

it.each(readdirSync(fixtures))('adds the weights that the model names for each character of %s', (name) => {
  const text = readFileSync(new URL(name, fixtures), 'utf8');
  expect(countText(text)).toBe(slowCount(text));
});

it('comes to the same sum however a text is taken apart to be counted', () => {
  const piece = fc.oneof(
    fc.stringMatching(/^[a-z ]{0,40}$/),
    fc.stringMatching(/^[\w\s{}();:'"/.-]{0,40}$/),
    fc.nat({ max: 200 }).map((length) => '7'.repeat(length)),
    fc.nat({ max: 200 }).map((length) => 'x'.repeat(length)),
    fc.nat({ max: 90 }).map((length) => ' '.repeat(length)),
    fc.constantFrom('é', '的', '😀', '\ud800', '\0', '\n\n'),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (text) => {
      expect(countText(text)).toBe(slowCount(text));
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(text, fc.integer({ min: 32_700, max: 100_000 }), (text, length) => {
      const long = `${text}, `.repeat(Math.ceil(length / (text.length + 2))).slice(0, length);
      expect(countText(long)).toBe(slowCount(long));
    }),
    { numRuns: 30 },
  );
});
