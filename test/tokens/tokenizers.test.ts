import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countSurely, countText, countWithTokenizer } from '../../src/tokens/index.ts';

const FIXTURES = globSync('test/fixtures/tokens/*').map((file) => readFileSync(file, 'utf8'));
const ODD = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...' \t\n\r/;\'"sSdDlLabAB019é漢か한ไİ\u0301👍🏽'), maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), maxLength: 600 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
    .map((units) => String.fromCharCode(...units)),
);

describe.each([
  ['openai:gpt-5', o200k],
  ['gpt-3.5-turbo', cl100k],
] as const)('the tokenizer of %s', (model, real) => {
  const count = countWithTokenizer(model)!;
  const expected = (text: string) => real(text, { disallowedSpecial: new Set() });

  it('counts what people write exactly', () => {
    for (const text of FIXTURES) expect(count(text)).toBe(expected(text));
  });

  it('counts any other text exactly, also when it has counted it before', () => {
    fc.assert(
      fc.property(ODD, (text) => {
        expect(count(text)).toBe(expected(text));
        expect(count(text)).toBe(expected(text));
      }),
    );
  });
});

it.each([
  ['openai:gpt-4o-mini-2024-07-18', 'o200k'],
  ['openrouter/openai/gpt-4.1', 'o200k'],
  ['gpt-oss:20b', 'o200k'],
  ['o3-mini', 'o200k'],
  ['azure:gpt-4-turbo', 'cl100k'],
  ['gpt-4-0613', 'cl100k'],
  ['anthropic:claude-sonnet-4.5', undefined],
  ['compatible:scripted', undefined],
])('%s counts by %s', (model, tokenizer) => {
  const text = 'გამარჯობა, ყველას!';
  const options = { disallowedSpecial: new Set<string>() };
  const real = tokenizer && { o200k, cl100k }[tokenizer as 'o200k'](text, options);
  expect(countWithTokenizer(model)?.(text)).toBe(real);
});

describe('a request for a model whose tokenizer is not known', () => {
  const measure = (text: string, room: number) =>
    countSurely((count) => count(text), { model: 'mistral', estimated: countText(text), room });

  it('is taken as it was estimated where people wrote it', () => {
    const text = FIXTURES.join('\n');
    expect(measure(text, countText(text))).toBe(0);
  });

  it('has a margin where the estimate is low for o200k too', () => {
    const random = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 300 });
    fc.assert(
      fc.property(random, (text) => {
        const real = o200k(text);
        fc.pre(real > countText(text) * 1.05);
        expect(measure(text, countText(text))).toBeGreaterThan(real);
      }),
    );
  });

  it('is not counted where even its bytes fit', () => {
    expect(measure('ABC', 3)).toBe(0);
  });
});
