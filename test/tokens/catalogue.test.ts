import { describe, expect, it } from 'vitest';
import { CATALOGUE, CATALOGUE_AS_OF } from '../../src/tokens/catalogue.ts';
import { modelLimits, modelPrice } from '../../src/tokens/index.ts';

describe('the catalogue', () => {
  it('says on which day it was looked up', () => {
    expect(new Date(CATALOGUE_AS_OF).toISOString()).toContain(CATALOGUE_AS_OF);
  });

  it('is sorted by name, so that a line is easy to find, and names no model twice', () => {
    const names = CATALOGUE.map(({ model }) => model);
    expect(names).toEqual([...new Set(names)].sort());
  });

  it.each(CATALOGUE)('has sound facts of $model', ({ model, window, output, price }) => {
    expect(model).toMatch(/^[a-z][a-z0-9.-]*$/);
    expect(Number.isSafeInteger(window) && Number.isSafeInteger(output)).toBe(true);
    expect(output).toBeGreaterThanOrEqual(1_024);
    expect(output).toBeLessThanOrEqual(window);
    for (const dollars of price ?? []) expect(dollars).toBeGreaterThanOrEqual(0);
    if (price?.[2] !== undefined) expect(price[2]).toBeLessThan(price[0]);
  });

  it('has the prices of long requests as the providers publish them, and they are no lower', () => {
    const sol = { input: 4, output: 15, cacheRead: 0.2, cacheWrite: 5 };
    expect(modelPrice('openai:gpt-6.1-sol')?.long).toEqual({ above: 272_000, ...sol });
    const pro = { input: 4, output: 18, cacheRead: 0.4 };
    expect(modelPrice('google:gemini-3.1-pro')?.long).toEqual({ above: 200_000, ...pro });
    expect(modelPrice('anthropic:claude-sonnet-5-5')).not.toHaveProperty('long');
    for (const { price, long: [above, input, output] = [1_000, 1, 1] } of CATALOGUE) {
      expect(above === 1_000 || price !== undefined).toBe(true);
      expect(Math.min(input, output)).toBeGreaterThanOrEqual(1);
    }
  });

  it.each(CATALOGUE)('finds $model by its own name', ({ model, window, output, price }) => {
    expect(modelLimits(model)).toEqual({ window, output, source: 'catalogue' });
    expect(modelPrice(model)?.input).toBe(price?.[0]);
  });
});
