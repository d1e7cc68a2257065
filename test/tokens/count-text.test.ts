import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countText } from '../../src/tokens/index.ts';

const read = (name: string) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
const fixture = (name: string) => read(`tokens/${name}`);
const SCRIPTS = readdirSync(new URL('../fixtures/tokens-scripts', import.meta.url));

/** What text can be: any code units, lone surrogates and NULs included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes)),
  fc.stringMatching(/^[\w \n{}();:'"/.-]*$/),
);

describe('counting text', () => {
  it.each([
    { text: '', tokens: 0, why: 'there is nothing' },
    { text: '1234567', tokens: 3, why: 'digits go by three' },
    { text: 'The cat sat on the mat.', tokens: 7, why: 'common words are one token each' },
    { text: '\n\n\n', tokens: 2, why: 'line ends merge' },
    { text: ' '.repeat(40), tokens: 3, why: 'so do blanks' },
  ])('counts $tokens in "$text", because $why', ({ text, tokens }) => {
    expect(countText(text)).toBe(tokens);
  });

  it('counts three digits as one token, however long the number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]+$/), (digits) => {
        expect(countText(digits)).toBe(Math.ceil(digits.length / 3));
      }),
    );
  });

  it('gives a whole number that is never negative, whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(countText(text)).toSatisfy((count: number) => Number.isSafeInteger(count) && count >= 0);
        if (/[\p{L}\p{N}]/u.test(text)) expect(countText(text)).toBeGreaterThan(0);
      }),
    );
  });

  it('counts two texts about as high as both together', () => {
    fc.assert(
      fc.property(anyText, anyText, (left, right) => {
        const apart = countText(left) + countText(right);
        expect(Math.abs(countText(left + right) - apart)).toBeLessThanOrEqual(7);
      }),
    );
  });

  it('does not count less when text is added', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, more) => {
        expect(countText(text + more)).toBeGreaterThanOrEqual(countText(text) - 2);
      }),
    );
  });

  it.each([
    ['one letter', 'a'],
    ['capitals', 'A'],
    ['one mark', '{'],
    ['blanks', ' '],
    ['line ends', '\n'],
    ['blanks and letters', ' x'],
    ['lone surrogates', '\ud800'],
    ['NULs', '\0'],
    ['Han', '的'],
    ['emoji', '😀'],
    ['combining marks', 'e\u0301'],
    ['the commonest pair of letters', 'er'],
  ])('gets through ten megabytes of %s, which are not free', (_, unit) => {
    const text = unit.repeat(10_000_000 / unit.length);
    expect(countText(text)).toBeGreaterThan(text.length / 150);
    expect(countText(text)).toBeLessThan(text.length * 4);
  });
});

// Short texts swing further than the windows of 8,000 tokens that the bench looks at.
describe('against o200k', () => {
  it.each([
    'agent.txt',
    'arabic.txt',
    'chinese-simplified.txt',
    'chinese-traditional.txt',
    'code.txt',
    'data.json',
    'emoji.txt',
    'english.txt',
    'french.txt',
    'german.txt',
    'greek.txt',
    'hindi.txt',
    'japanese.txt',
    'korean.txt',
    'russian.txt',
  ])('%s is between 7 %% low and 12 %% high', (name) => {
    const text = fixture(name);
    expect(countText(text) / countTokens(text)).toSatisfy((ratio: number) => ratio > 0.93 && ratio < 1.12);
  });

  // What is counted high costs room, and what is counted low is refused: scripts that few write in are counted high.
  it.each<[string, string]>([
    ...SCRIPTS.map((name): [string, string] => [name, read(`tokens-scripts/${name}`)]),
    ['a table', '┌────┬────┐\n│ a  │ b  │\n├────┼────┤\n│ 1  │ 2  │\n└────┴────┘\n'.repeat(20)],
    ['a coloured log', '\x1b[32m✓\x1b[39m test passed \x1b[2m12ms\x1b[22m\n'.repeat(40)],
    ['mathematics', '∀x∈ℝ: ∑ᵢ₌₁ⁿ xᵢ² ≥ 0 ∧ ∫₀^∞ e^{−x}dx = 1 ⇒ ∂f/∂x ≠ ∇g\n'.repeat(20)],
    ['capitals', 'THE SERVER DID NOT ANSWER AND THE USERS COMPLAINED ABOUT THE SLOW PAGE\n'.repeat(20)],
  ])('%s is between 10 %% low and 30 %% high', (_, text) => {
    expect(countText(text) / countTokens(text)).toSatisfy((ratio: number) => ratio > 0.9 && ratio < 1.3);
  });

  it.each([
    ['base64', (bytes: Buffer) => bytes.toString('base64')],
    ['base64url', (bytes: Buffer) => bytes.toString('base64url')],
    ['hex', (bytes: Buffer) => bytes.toString('hex')],
    [
      'uuids',
      (bytes: Buffer) =>
        bytes.toString('hex').replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/g, '$1-$2-$3-$4-$5\n'),
    ],
  ])('%s is between 5 %% low and 10 %% high', (_, encode) => {
    const text = encode(scrambledBytes(16_000));
    expect(countText(text) / countTokens(text)).toSatisfy((ratio: number) => ratio > 0.95 && ratio < 1.1);
  });

  it('all languages together are between 5 % low and 10 % high', () => {
    const text = [
      'arabic',
      'chinese-simplified',
      'greek',
      'hindi',
      'japanese',
      'korean',
      'russian',
      'german',
      'french',
    ]
      .map((name) => fixture(`${name}.txt`))
      .join('\n');
    expect(countText(text) / countTokens(text)).toSatisfy((ratio: number) => ratio > 0.95 && ratio < 1.1);
  });
});

function scrambledBytes(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let i = 0, state = 1; i < length; i++) {
    state = Math.imul(state, 48_271) & 0x7fffffff;
    bytes[i] = state >>> 12;
  }
  return bytes;
}
