import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText } from '../../../src/context/fit/cut-text.ts';
import { countText } from '../../../src/tokens/index.ts';
import { anyText } from '../../record/arbitraries.ts';

const note = '[cut]';

describe('a text that is cut', () => {
  it('is never longer than it may be, and stays well-formed', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 50 }), fc.nat(200), (texts, maxTokens) => {
        const text = texts.join(' ').toWellFormed();
        const cut = cutText(text, { maxTokens, note });
        if (cut === undefined) {
          expect(countText(note)).toBeGreaterThan(maxTokens);
          return;
        }
        expect(countText(cut)).toBeLessThanOrEqual(maxTokens);
        expect(cut.isWellFormed()).toBe(true);
        if (countText(text) <= maxTokens) expect(cut).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its beginning and its end, and as much as may be', () => {
    const cut = cutText(`BEGIN ${'middle '.repeat(5_000)} END`, { maxTokens: 500, note })!;
    expect(cut).toMatch(/^BEGIN middle[\s\S]*\n\[cut\]\n[\s\S]*middle {2}END$/);
    expect(countText(cut)).toBeGreaterThan(450);
  });
});
