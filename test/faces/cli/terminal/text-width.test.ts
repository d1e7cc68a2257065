import { describe, expect, it } from 'vitest';
import { cutToWidth, textWidth } from '../../../../src/faces/cli/terminal/text-width.ts';

describe('the width of text', () => {
  it.each([
    ['plain', 5],
    ['日本', 4],
    ['한국', 4],
    ['ｆｕｌｌ', 8],
    ['👍', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇯🇵', 2],
    ['❤️', 2],
    ['é', 1],
    ['e\u0301', 1],
    ['a\u200bb', 2],
    ['…└│', 3],
  ])('%s takes %i columns', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });

  it.each([
    ['plain', 5, 'plain', 'what fits is left alone'],
    ['plain text', 6, 'plain…', 'the ellipsis is inside the width'],
    ['plain text', 7, 'plain…', 'no blank before the ellipsis'],
    ['日本語', 5, '日本…', 'wide characters count twice'],
    ['日本語', 4, '日…', 'and are never halved'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…', 'a family stays together'],
    ['abc', 1, '…', 'room for nothing else'],
    ['abc', 0, '', 'no room at all'],
  ])('%s cut to %i is %s: %s', (text, width, cut) => {
    expect(cutToWidth(text, width)).toBe(cut);
    expect(textWidth(cut)).toBeLessThanOrEqual(width);
  });

  it('cuts a very long line without measuring it', () => {
    expect(cutToWidth('x'.repeat(10_000_000), 10)).toBe('xxxxxxxxx…');
  });
});
