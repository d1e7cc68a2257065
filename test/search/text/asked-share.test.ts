import { describe, expect, it } from 'vitest';
import { askedShare } from '../../../src/search/text/asked-share.ts';

describe('how much of a message is questions', () => {
  it('is counted by letters, sentence by sentence and line by line', () => {
    expect(askedShare('Who is it?')).toBe(100);
    expect(askedShare('We ship on Friday.')).toBe(0);
    expect(askedShare('abcd. efgh?')).toBe(50);
    expect(askedShare('abcd\nefgh?\nijkl\nmnop')).toBe(25);
    expect(askedShare('She said "really?" (are you sure?)')).toBe(100);
  });

  it('knows the question marks of other scripts', () => {
    expect(askedShare('ポートは何番ですか？')).toBe(100);
    expect(askedShare('决定了。用哪个？')).toBe(50);
    expect(askedShare('هل هذا صحيح؟')).toBe(100);
  });

  it('takes no mark within a word for one, and no empty text', () => {
    expect(askedShare('see https://shop.test/list?page=2 for more')).toBe(0);
    expect(askedShare('?')).toBe(0);
    expect(askedShare('')).toBe(0);
  });

  it('does not matter in a long text, which is a statement', () => {
    expect(askedShare(`${'We looked at every cause. '.repeat(20)}Shall I go on?`)).toBe(0);
  });
});
