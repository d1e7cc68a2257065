import { expect, it } from 'vitest';
import { askedTime, matchesTime } from '../../../src/search/words/asked-time.ts';

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
  { text: '31 Dec 2023', time: { year: 2023, month: 11, day: 31 } },
  { text: 'on 31 dec 2023', time: { year: 2023, month: 11, day: 31 } },
  { text: 'Sep 2024', time: { year: 2024, month: 8 } },
  { text: '12/31/2023', time: { year: 2023, month: 11, day: 31 } },
  { text: '31/12/2023', time: { year: 2023, month: 11, day: 31 } },
  { text: '03/04/2023', time: { year: 2023 } },
  { text: 'am 31. Dezember 2023', time: { year: 2023, month: 11, day: 31 } },
  { text: 'am 31.12.2023', time: { year: 2023, month: 11, day: 31 } },
  { text: 'le 12 mars 2024', time: { year: 2024, month: 2, day: 12 } },
  { text: 'el 31 de diciembre de 2023', time: { year: 2023, month: 11, day: 31 } },
  { text: '2023年12月31日に', time: { year: 2023, month: 11, day: 31 } },
  { text: 'what Jan said of the Mars probe', time: undefined },
  { text: 'last Tuesday', time: undefined },
])('reads $time from "$text"', ({ text, time }) => {
  expect(askedTime(text)).toEqual(time);
});

const WEDNESDAY = Date.UTC(2026, 10, 18, 12);

it.each([
  { text: 'what did we decide last Tuesday', day: 17, days: 1 },
  { text: 'gestern', day: 17, days: 1 },
  { text: 'vor 3 Tagen', day: 15, days: 1 },
  { text: 'letzte Woche', day: 9, days: 7 },
  { text: '昨日', day: 17, days: 1 },
  { text: '上周', day: 9, days: 7 },
  { text: '2 weeks ago', day: 1, days: 7 },
  { text: 'two days ago', day: 16, days: 1 },
  { text: 'vor drei Tagen', day: 15, days: 1 },
  { text: 'a week ago', day: 8, days: 7 },
  { text: 'letzten Dienstag', day: 17, days: 1 },
  { text: '上周二', day: 10, days: 1 },
  { text: '上个星期五', day: 13, days: 1 },
  { text: '先週の火曜日に決めたこと', day: 10, days: 1 },
  { text: '上个星期', day: 9, days: 7 },
  { text: '3日前', day: 15, days: 1 },
  { text: '两天前', day: 16, days: 1 },
  { text: '지난주', day: 9, days: 7 },
  { text: 'mardi dernier', day: 17, days: 1 },
  { text: 'la semana pasada', day: 9, days: 7 },
  { text: 'this week', day: 16, days: 7 },
  { text: '今月', day: 1, days: 30 },
])('counts "$text" from the moment it is asked', ({ text, day, days }) => {
  expect(askedTime(text, WEDNESDAY)).toEqual({ year: 2026, month: 10, day, days });
});

it.each([
  { text: 'last month', time: { year: 2026, month: 9, day: 1, days: 31 } },
  { text: '上个月', time: { year: 2026, month: 9, day: 1, days: 31 } },
  { text: '2か月前', time: { year: 2026, month: 8, day: 1, days: 30 } },
  { text: 'last year', time: { year: 2025, month: 0, day: 1, days: 365 } },
  { text: '去年', time: { year: 2025, month: 0, day: 1, days: 365 } },
])('counts "$text" over the turn of months and years', ({ text, time }) => {
  expect(askedTime(text, WEDNESDAY)).toEqual(time);
});

it.each(['a blast Tuesday', 'at last weekly', 'the past weekend', 'days ago', 'on the shore'])(
  'reads no time from "%s"',
  (text) => {
    expect(askedTime(text, WEDNESDAY)).toBeUndefined();
  },
);

it('prefers the day to the month, and the month to the year', () => {
  const day = Date.UTC(2024, 4, 8, 12);
  const fits = (text: string) => matchesTime(askedTime(text)!, day);
  expect(fits('8 May 2024')).toBeGreaterThan(fits('May 2024'));
  expect(fits('May 2024')).toBeGreaterThan(fits('in 2024'));
  expect(fits('8 May 2023')).toBe(0);
  expect(fits('8 June 2024')).toBe(0);
});
