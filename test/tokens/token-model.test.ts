import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { KIND, SYMBOL_BITS } from '../../src/tokens/character-table.ts';
import { countText } from '../../src/tokens/index.ts';
import { createTokenModel, pairWeights } from '../../src/tokens/token-model.ts';
import { weightList } from '../../src/tokens/weight-list.ts';

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

it.each(readdirSync(fixtures))('adds the weights that the model names for each character of %s', (name) => {
  const text = readFileSync(new URL(name, fixtures), 'utf8');
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
  expect(countText(text)).toBe(Math.ceil(sum / 100));
});
