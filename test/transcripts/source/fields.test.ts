import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTranscriptUsage, timeOf } from '../../../src/transcripts/source/fields.ts';

describe('what foreign files say', () => {
  it('is a time if it can be one, the same as Date has it', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), noInvalidDate: true }), (date) => {
        const text = date.toISOString();
        expect(timeOf(text)).toBe(date.getTime() <= 8.64e15 ? Date.parse(text) : undefined);
      }),
    );
    for (const text of [
      '2026-01-05T24:00:00.000Z',
      '2026-02-30T10:00:00.000Z',
      '2026-01-05T10:00:60.000Z',
      'x'.repeat(24),
    ])
      expect(timeOf(text) ?? Number.NaN).toBe(Date.parse(text));
    expect([timeOf(5.7), timeOf(-1), timeOf(null), timeOf(Number.NaN), timeOf(1e300)]).toEqual([
      5,
      ...Array(4).fill(undefined),
    ]);
  });

  it('is a usage if there is a count in it', () => {
    expect(readTranscriptUsage({ inputTokens: 3, outputTokens: 'x', cost: -1 })).toEqual({
      inputTokens: 3,
      outputTokens: 0,
    });
    expect(readTranscriptUsage({ inputTokens: 0, outputTokens: null })).toBeUndefined();
  });
});
