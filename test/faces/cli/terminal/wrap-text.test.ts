import { describe, expect, it } from 'vitest';
import { wrapText } from '../../../../src/faces/cli/terminal/text-width.ts';

describe('wrapped text', () => {
  it.each([
    ['short enough', 12, 'short enough', 'what fits is left alone'],
    ['one two three', 7, 'one two\nthree', 'lines break between words'],
    ['日本 日本 日本', 9, '日本 日本\n日本', 'wide characters count twice'],
    [
      'a /path/that/is/long b',
      8,
      'a\n/path/that/is/long\nb',
      'a long word stays whole, so that it can be copied',
    ],
    ['list:\n  one\n  two', 80, 'list:\n  one\n  two', 'its own lines stay'],
    ['\u001b[31mone\u001b[39m two three', 7, '\u001b[31mone\u001b[39m two\nthree', 'colours take no room'],
    ['  one two three', 9, '  one two\nthree', 'so does the indentation'],
  ])('%j in %i columns is %j: %s', (text, width, wrapped) => {
    expect(wrapText(text, width)).toBe(wrapped);
  });
});
