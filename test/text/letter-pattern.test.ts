import { describe, expect, it } from 'vitest';
import { letterPattern } from '../../src/text/index.ts';

describe('a pattern with its letters spelled out', () => {
  const samples = [
    ..."aZ09 _-'’.,;:!?¿×÷ßÄéøœñçšΩλЖяёіآबกあんアーン々漢字一龥가힣ｱｶﾞａｚ０９、。・「」！？，…—→✅😀\u037e\u060c\u0964\t\n",
  ];
  const cases = {
    'a letter': String.raw`\p{L}`,
    'a digit': String.raw`\p{N}`,
    'a letter in a class': String.raw`[\p{L}_]`,
    'anything else': String.raw`[^\p{L}\p{N}]`,
    'no letter before it': String.raw`(?<![\p{L}\p{N}])x`,
    'an escaped bracket': String.raw`\[?\p{L}\]?`,
    'a bracket in a class': String.raw`[\]\p{N}]`,
  };

  for (const [name, source] of Object.entries(cases)) {
    it(`matches what Unicode's tables match: ${name}`, () => {
      const spelled = letterPattern(`^(?:.?${source})$`, 'su');
      const exact = new RegExp(`^(?:.?${source})$`, 'su');
      const found = (pattern: RegExp) =>
        samples.flatMap((sign) => [sign, `${sign}x`]).filter((text) => pattern.test(text));
      expect(found(spelled)).toEqual(found(exact));
    });
  }

  it('leaves escapes as they stand', () => {
    expect(letterPattern(String.raw`\\p\{L\}`).test(String.raw`\p{L}`)).toBe(true);
  });
});
