import { expect, it } from 'vitest';
import { askedTime, matchesTime } from '../../../src/recall/search/asked-time.ts';

it.each([
  { text: 'on 8 May 2024', time: { year: 2024, month: 4, day: 8 } },
  { text: 'on the 3rd of June', time: { month: 5, day: 3 } },
  { text: 'in May', time: { month: 4 } },
  { text: 'May 8th, 2024', time: { year: 2024, month: 4, day: 8 } },
  { text: 'around 2024-05-08', time: { year: 2024, month: 4, day: 8 } },
  { text: 'back in 2023', time: { year: 2023 } },
  { text: 'what may happen in the march', time: undefined },
  { text: 'error 2067', time: { year: 2067 } },
  { text: 'nothing about time', time: undefined },
])('reads $time from "$text"', ({ text, time }) => {
  expect(askedTime(text)).toEqual(time);
});

it('prefers the day to the month, and the month to the year', () => {
  const day = Date.UTC(2024, 4, 8, 12);
  const fits = (text: string) => matchesTime(askedTime(text)!, day);
  expect(fits('8 May 2024')).toBeGreaterThan(fits('May 2024'));
  expect(fits('May 2024')).toBeGreaterThan(fits('in 2024'));
  expect(fits('8 May 2023')).toBe(0);
  expect(fits('8 June 2024')).toBe(0);
});
