import { describe, expect, it } from 'vitest';
import { visibleLine, visibleText } from '../../../../src/faces/cli/terminal/visible-text.ts';

describe('visible text', () => {
  it.each([
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m', 'an escape sequence is seen, not obeyed'],
    ['\u001b]0;title\u0007', '␛]0;title␇', 'a window title is not changed'],
    ['\u009b31m', '\\u009b31m', 'the one-character form of an escape is one too'],
    ['a\rb', 'a␍b', 'a line is not written over'],
    ['a\r\nb', 'a\nb', 'line ends of Windows are line ends'],
    ['a\n\tb', 'a\n\tb', 'line breaks and tabs are text'],
    ['a\b\u007f', 'a␈␡', 'nothing is rubbed out'],
    ['\u202eabc\u2066', '\\u202eabc\\u2066', 'text is not turned around'],
    ['\ud83d', '\ufffd', 'half a character is none'],
    ['日本語 👩‍👧 שלום', '日本語 👩‍👧 שלום', 'every script is left alone'],
  ])('%j becomes %j: %s', (text, seen) => {
    expect(visibleText(text)).toBe(seen);
  });

  it('puts a text on one line', () => {
    expect(visibleLine('  one\n\n two\tthree\u001b ')).toBe('one two three␛');
  });
});
