import { describe, expect, it } from 'vitest';
import { sayAge, sayBytes } from '../../../../src/faces/cli/terminal/say.ts';
import { sayCount } from '../../../../src/text/index.ts';

const now = new Date(2026, 5, 15, 12).getTime();
const minute = 60_000;
const day = 24 * 60 * minute;

describe('in words', () => {
  it.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [minute, '1 min ago'],
    [59 * minute, '59 min ago'],
    [60 * minute, '1 h ago'],
    [day, 'yesterday'],
    [2 * day, '2 days ago'],
    [30 * day, '30 days ago'],
    [31 * day, '2026-05-15'],
    [-day, '2026-06-16'],
  ])('an age of %i ms is "%s"', (age, words) => {
    expect(sayAge(now - age, now)).toBe(words);
  });

  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1000, '1.0 kB'],
    [999_600, '1.0 MB'],
    [12_345_678, '12 MB'],
    [5e12, '5.0 TB'],
  ])('%i bytes are "%s"', (bytes, words) => {
    expect(sayBytes(bytes)).toBe(words);
  });

  it('counts with commas', () => {
    expect([sayCount(1, 'entry', 'entries'), sayCount(12_345, 'entry', 'entries')]).toEqual([
      '1 entry',
      '12,345 entries',
    ]);
  });
});
