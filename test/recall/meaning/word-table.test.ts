import { beforeAll, describe, expect, it } from 'vitest';
import { likenessTo, wordNumber } from '../../../src/recall/meaning/word-bag.ts';
import { loadWordTable, type WordTable, wordsOf } from '../../../src/recall/meaning/word-table.ts';

let table: WordTable;
beforeAll(async () => {
  table = await loadWordTable();
});

const cosine = (a: string, b: string) => {
  const [left, right] = [table.embed(wordsOf(a)), table.embed(wordsOf(b))];
  return left.reduce((sum, value, k) => sum + value * right[k]!, 0);
};

describe('the word table', () => {
  it('has what was trained', () => {
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
    expect(table.embed(['unrefactorable']).some((value) => value !== 0)).toBe(true);
    expect(table.embed(['数据库']).every((value) => value === 0)).toBe(true);
    expect(table.embed([]).every((value) => value === 0)).toBe(true);
  });

  it('adds up in the kernel what one would add up by hand', () => {
    const together = table.embed(['dog', 'house']);
    const [dog, house] = [
      table.likenesses(together)[table.rowOf('dog')!]!,
      table.likenesses(together)[table.rowOf('house')!]!,
    ];
    expect(dog).toBeGreaterThan(0.4);
    expect(house).toBeGreaterThan(0.4);
  });

  it('numbers words in two bytes, known or not', () => {
    for (const word of ['dog', 'throughlinex', '数据', 'e1234'])
      expect(wordNumber(word, table)).toBeLessThan(65_536);
    const alike = likenessTo('dog', table, (value) => value);
    expect(alike[wordNumber('dog', table)]).toBe(1);
    expect(alike[wordNumber('puppy', table)]).toBeGreaterThan(alike[wordNumber('invoice', table)]!);
  });
});
