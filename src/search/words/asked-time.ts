import { ANY_MONTH, monthOf } from './date-words.ts';
import { relativeDays } from './relative-days.ts';

/** A day, a month or a year that a query names, or a stretch of days from a day on. Months count from 0. */
export interface AskedTime {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  /** How many days it lasts, where that differs from the named time. */
  readonly days?: number;
}

const DAY_MS = 86_400_000;
/** Letters may be those of any script: the word edges of patterns know ASCII alone. */
const [HEAD, TAIL] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'];
const MONTH = `(?<month>${ANY_MONTH})\\.?`;
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th|\\.|er|º)?';
const YEAR = '(?<year>(?:19|20)\\d{2})';
const form = (pattern: string) => new RegExp(`${HEAD}${pattern}${TAIL}`, 'iu');

const FORMS: readonly RegExp[] = [
  form(`${YEAR}[-/.](?<number>\\d{1,2})(?:[-/.](?<day>\\d{1,2}))?`),
  form(`(?<day>\\d{1,2})\\.(?<number>\\d{1,2})\\.${YEAR}`),
  form(`(?<first>\\d{1,2})/(?<second>\\d{1,2})/${YEAR}`),
  /(?:(?<year>(?:19|20)\d{2})\s*[年년]\s*)?(?<number>\d{1,2})\s*[月월](?:\s*(?<day>\d{1,2})\s*[日号일])?/u,
  form(`${DAY},?(?: of| de)? ${MONTH}(?:,?(?: de)? ${YEAR})?`),
  form(`${MONTH}(?: ${DAY}(?!\\d))?(?:,? ${YEAR})?`),
  form(YEAR),
];

/** Others are names of people and planets as well. */
const STANDS_ALONE =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i;

/**
 * The first time that a query names, as people write dates. A month in small letters counts beside a number only: "may"
 * and "march" are verbs. What counts from today, such as "last Tuesday", is read only where `now` is given.
 */
export function askedTime(text: string, now?: number): AskedTime | undefined {
  for (const pattern of FORMS) {
    const groups = pattern.exec(text)?.groups;
    const time = groups && toTime(groups);
    if (time) return time;
  }
  return now === undefined ? undefined : relativeTime(text, now);
}

function toTime(groups: Readonly<Record<string, string | undefined>>): AskedTime | undefined {
  const { year, number, month: name, first, second } = groups;
  let { day } = groups;
  let month: number | undefined;
  if (name !== undefined) {
    if (!(day && year) && (/^\p{Ll}/u.test(name) || !(day || year || STANDS_ALONE.test(name))))
      return undefined;
    month = monthOf(name);
  } else if (number !== undefined) month = Number(number) - 1;
  else if (first !== undefined && second !== undefined) {
    // Day and month stand in either order; where both could be either, neither is known.
    const [a, b] = [Number(first), Number(second)];
    if (a <= 12 && b <= 12 && a !== b) return { year: Number(year) };
    [day, month] = a > 12 ? [first, b - 1] : [second, a - 1];
  }
  if (month !== undefined && (month < 0 || month > 11)) return undefined;
  return {
    ...(year && { year: Number(year) }),
    ...(month !== undefined && { month }),
    ...(day && { day: Number(day) }),
  };
}

function relativeTime(text: string, now: number): AskedTime | undefined {
  const found = relativeDays(text, new Date(now));
  if (!found) return undefined;
  const from = new Date(now - found.ago * DAY_MS);
  return { year: from.getUTCFullYear(), month: from.getUTCMonth(), day: from.getUTCDate(), days: found.days };
}

/** 1 if everything that was named fits, less for a part of it, 0 if the largest part does not. In UTC. */
export function matchesTime(asked: AskedTime, at: number): number {
  const { year, month, day, days } = asked;
  const date = new Date(at);
  if (days !== undefined) {
    const { since, until } = rangeOf(asked)!;
    return at >= since && at <= until ? 1 : 0;
  }
  if (year !== undefined && date.getUTCFullYear() !== year) return 0;
  if (month === undefined) return year === undefined ? 0 : 0.3;
  if (date.getUTCMonth() !== month) return 0;
  if (day === undefined) return 0.5;
  return date.getUTCDate() === day ? 1 : 0.5;
}

/** From the first moment to the last, in UTC; nothing for a month of no year. */
export function rangeOf({ year, month, day, days }: AskedTime): { since: number; until: number } | undefined {
  if (year === undefined) return undefined;
  const since = Date.UTC(year, month ?? 0, day ?? 1);
  const end =
    month === undefined
      ? Date.UTC(year + 1, 0, 1)
      : day === undefined
        ? Date.UTC(year, month + 1, 1)
        : since + (days ?? 1) * DAY_MS;
  return { since, until: end - 1 };
}
