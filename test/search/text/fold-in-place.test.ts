import fc from 'fast-check';
import { expect, it } from 'vitest';
import { foldInPlace } from '../../../src/search/text/fold-in-place.ts';
import { foldLetters } from '../../../src/search/text/fold-text.ts';

const piece = fc.constantFrom(
  ...['a', 'B', ' ', '\n', 'é', 'e\u0301', 'ﬁ', 'ß', 'İ', 'Σ', 'ς', 'ﾀ', 'ｶﾞ', 'Ａ', '数', '，', '서', '…'],
  ...['\u00ad', '\u200b', '❤️', '🎉', 'ช่', 'हि', '\u1112\u1161\u11ab', 'カ\u3099', '—'],
);

it('folds as the index does, whatever the text is made of', () => {
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join('');
      expect(foldInPlace(text).text).toBe(foldLetters(text));
    }),
  );
});

it('knows of every piece where it was', () => {
  fc.assert(
    fc.property(fc.array(piece), piece, fc.array(piece), (before, wanted, after) => {
      const [head, text] = [before.join(''), [...before, wanted, ...after].join('')];
      const start = foldLetters(head).length;
      const end = start + foldLetters(wanted).length;
      fc.pre(end > start);
      const { startOf, endOf } = foldInPlace(text);
      expect(text.slice(startOf(start), endOf(end))).toBe(wanted);
    }),
  );
});

it('never points outside of a text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const { text: folded, startOf, endOf } = foldInPlace(text);
      let last = 0;
      for (let at = 0; at < folded.length; at++) {
        expect(startOf(at)).toBeGreaterThanOrEqual(last);
        expect(endOf(at + 1)).toBeGreaterThan(startOf(at));
        expect(endOf(at + 1)).toBeLessThanOrEqual(text.length);
        last = startOf(at);
      }
    }),
  );
});

it('knows of every character that there is where it was', () => {
  for (let code = 0xa0; code < 0x10000; code++) {
    const character = String.fromCharCode(code);
    if (!character.isWellFormed() || /\p{M}/u.test(character)) continue;
    const { text, endOf } = foldInPlace(`${character} x`);
    if (!text.startsWith(foldLetters(character))) expect(text).toBe(foldLetters(character));
    expect([code, endOf(text.indexOf('x', text.length - 1))]).toEqual([code, 2]);
  }
});
