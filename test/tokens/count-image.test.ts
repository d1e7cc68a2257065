import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countImage, type ImageProvider } from '../../src/tokens/index.ts';

const PROVIDERS: readonly ImageProvider[] = ['anthropic', 'openai', 'google'];

describe('the tokens of a picture', () => {
  // By the rules that the providers publish for their newest models.
  it.each([
    { provider: 'anthropic', width: 256, height: 256, tokens: 100 },
    { provider: 'anthropic', width: 1024, height: 1024, tokens: 1_369 },
    { provider: 'anthropic', width: 1920, height: 1080, tokens: 2_691 },
    { provider: 'openai', width: 256, height: 256, tokens: 77 },
    { provider: 'openai', width: 1024, height: 1024, tokens: 1_229 },
    { provider: 'openai', width: 1080, height: 1920, tokens: 2_448 },
    { provider: 'openai', width: 3840, height: 2160, tokens: 9_792 },
    { provider: 'openai', width: 4032, height: 3024, tokens: 14_364 },
    { provider: 'google', width: 256, height: 256, tokens: 1_120 },
  ] as const)('are $tokens at $provider for $width × $height', ({ provider, width, height, tokens }) => {
    expect(countImage({ width, height }, provider)).toBe(tokens);
  });

  it('are those of the dearest provider when none is named', () => {
    fc.assert(
      fc.property(fc.nat({ max: 9_000 }), fc.nat({ max: 9_000 }), (width, height) => {
        const each = PROVIDERS.map((provider) => countImage({ width, height }, provider));
        expect(countImage({ width, height })).toBe(Math.max(...each));
      }),
    );
  });

  it.each(PROVIDERS)('are a bounded whole number at %s, whatever a header claims', (provider) => {
    fc.assert(
      fc.property(fc.double(), fc.double(), (width, height) => {
        const tokens = countImage({ width, height }, provider);
        expect(Number.isSafeInteger(tokens) && tokens > 0 && tokens <= 1_000_000).toBe(true);
      }),
    );
  });

  it('do not depend on how the picture is turned', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_000 }), fc.integer({ min: 1, max: 9_000 }), (a, b) => {
        expect(countImage({ width: a, height: b })).toBe(countImage({ width: b, height: a }));
      }),
    );
  });
});
