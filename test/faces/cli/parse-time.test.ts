import { describe, expect, it } from 'vitest';
import { parseSince, parseUntil } from '../../../src/faces/cli/parse-time.ts';

const NOW = new Date(2025, 11, 30, 15, 30).getTime();
const at = (...parts: [number, number, number, number?, number?]) => new Date(...parts).getTime();

describe('a time that people name', () => {
  it.each([
    { text: '2025-12-30', since: at(2025, 11, 30), until: at(2025, 11, 31) - 1 },
    { text: 'today', since: at(2025, 11, 30), until: at(2025, 11, 31) - 1 },
    { text: 'yesterday', since: at(2025, 11, 29), until: at(2025, 11, 30) - 1 },
    { text: '2025-12-30 14:00', since: at(2025, 11, 30, 14, 0), until: at(2025, 11, 30, 14, 0) },
    { text: '2025-12-30T14:00:00Z', since: Date.UTC(2025, 11, 30, 14), until: Date.UTC(2025, 11, 30, 14) },
    { text: '3d', since: NOW - 3 * 86_400_000, until: NOW - 3 * 86_400_000 },
    { text: '12h', since: NOW - 12 * 3_600_000, until: NOW - 12 * 3_600_000 },
    { text: '31 Dec 2023', since: at(2023, 11, 31), until: at(2024, 0, 1) - 1 },
    { text: '31.12.2023', since: at(2023, 11, 31), until: at(2024, 0, 1) - 1 },
    { text: 'March 2025', since: at(2025, 2, 1), until: at(2025, 3, 1) - 1 },
    { text: 'August', since: at(2025, 7, 1), until: at(2025, 8, 1) - 1 },
    { text: 'last Friday', since: at(2025, 11, 26), until: at(2025, 11, 27) - 1 },
  ])('$text has a first and a last moment', ({ text, since, until }) => {
    expect([parseSince(text, undefined, NOW), parseUntil(text, undefined, NOW)]).toEqual([since, until]);
  });

  it.each(['soon', '', '2025', '12:00', '3 years'])('"%s" is none', (text) => {
    expect(() => parseSince(text)).toThrow('It has to be a day');
  });
});
