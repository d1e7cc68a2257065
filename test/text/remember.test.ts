import { expect, it } from 'vitest';
import { remember, rememberWords } from '../../src/text/index.ts';

/** How often each text is read while these are asked for one after the other. */
function readsOf(
  asked: readonly string[],
  wrap: (read: (text: string) => string) => (text: string) => string,
) {
  const reads: string[] = [];
  const known = wrap((text) => {
    reads.push(text);
    return text.toUpperCase();
  });
  expect(asked.map(known)).toEqual(asked.map((text) => text.toUpperCase()));
  return reads;
}

it('a text of the last ones is read once', () => {
  expect(readsOf(['a', 'b', 'a', '', '', 'b'], (read) => remember(read, 2))).toEqual(['a', 'b', '']);
});

it('a text from long before is read again, so that the cache has an end', () => {
  const many = Array.from({ length: 20 }, (_, at) => `text ${at}`);
  expect(readsOf([...many, ...many], (read) => remember(read, 5))).toEqual([...many, ...many]);
});

it('a text that is asked for again and again stays known', () => {
  const asked = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? 'again' : `text ${at}`));
  const reads = readsOf(asked, (read) => remember(read, 5));
  expect(reads.filter((text) => text === 'again')).toHaveLength(1);
});

it('a word as long as a piece of a text is not kept, because the text would be kept with it', () => {
  const long = 'x'.repeat(13);
  expect(readsOf(['word', long, 'word', long], (read) => rememberWords(read))).toEqual(['word', long, long]);
});
