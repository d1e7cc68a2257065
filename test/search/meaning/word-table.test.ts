import { beforeAll, describe, expect, it } from 'vitest';
import { likenessTo } from '../../../src/search/meaning/word-bag.ts';
import { loadWordTable, type WordTable } from '../../../src/search/meaning/word-table.ts';

let table: WordTable;
beforeAll(async () => {
  table = await loadWordTable();
});

const vector = (text: string) => table.embed(table.read(text));
const numberOf = (word: string) => table.read(word).numbers[0]!;

const cosine = (a: string, b: string) => {
  const [left, right] = [vector(a), vector(b)];
  return left.reduce((sum, value, k) => sum + value * right[k]!, 0);
};

describe('the word table', () => {
  it('has the trained words', () => {
    expect([table.size, table.dimensions]).toEqual([40_000, 128]);
  });

  it.each([
    ['a dog barked', 'the puppy is noisy', 'the invoice was paid'],
    ['repair the car', 'fix a vehicle', 'bake a cake'],
    ['she is ill', 'he feels sick', 'they won the match'],
  ])('puts "%s" nearer to "%s" than to "%s"', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.1);
  });

  it('spells words it does not have, and gives up on other scripts', () => {
    expect(vector('unrefactorable').some((value) => value !== 0)).toBe(true);
    expect(vector('数据库').every((value) => value === 0)).toBe(true);
    expect(vector('').every((value) => value === 0)).toBe(true);
  });

  it('adds up in the kernel what one would add up by hand', () => {
    const together = vector('dog house');
    const [dog, house] = [
      table.likenesses(together)[numberOf('dog')]!,
      table.likenesses(together)[numberOf('house')]!,
    ];
    expect(dog).toBeGreaterThan(0.4);
    expect(house).toBeGreaterThan(0.4);
  });

  it('numbers words in two bytes, known or not', () => {
    for (const word of ['dog', 'throughlinex', '数据', 'e1234']) expect(numberOf(word)).toBeLessThan(65_536);
    const alike = likenessTo('dog', table, (value) => value);
    expect(alike[numberOf('dog')]).toBe(1);
    expect(alike[numberOf('puppy')]).toBeGreaterThan(alike[numberOf('invoice')]!);
  });
});
