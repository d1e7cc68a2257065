import { InvalidArgumentError } from 'commander';
import { type AskedTime, askedTime } from '../../search/index.ts';

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 } as const;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?$/;

/** The first moment of a time that people name: a day, a moment, `today`, `yesterday`, `3d` for three days ago, or as in a query. */
export function parseSince(text: string, _before?: unknown, now: number = Date.now()): number {
  return readTime(text.trim(), now).start;
}

/** The last moment of it. */
export function parseUntil(text: string, _before?: unknown, now: number = Date.now()): number {
  return readTime(text.trim(), now).end;
}

function readTime(text: string, now: number): { start: number; end: number } {
  if (text === 'today') return dayAt(now, 0);
  if (text === 'yesterday') return dayAt(now, -1);
  const ago = /^(\d+) ?([mhdw])$/.exec(text);
  if (ago) {
    const at = now - Number(ago[1]) * UNITS[ago[2] as keyof typeof UNITS];
    return { start: at, end: at };
  }
  const day = DAY.exec(text);
  // A day without a time is meant where one is, not in Greenwich.
  if (day) return dayOf(Number(day[1]), Number(day[2]) - 1, Number(day[3]));
  // A bare year may be any number, and digits and colons alone are a day that does not exist.
  const named = !MOMENT.test(text) && /\p{L}|^[\d./]+$/u.test(text) ? askedTime(text, now) : undefined;
  if (named?.month !== undefined) return toRange(named, now);
  const moment = MOMENT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(moment)) return { start: moment, end: moment };
  throw new InvalidArgumentError(
    'It has to be a day (2025-12-30, "31 Dec 2025", "last Tuesday"), a moment (2025-12-30 14:00), or how long ago (3d, 12h).',
  );
}

/** As it is written in a query, but where the person is. Without a year, the last time that it was. */
function toRange({ year, month, day, days }: AskedTime, now: number): { start: number; end: number } {
  const here = new Date(now);
  const latest = new Date(here.getFullYear(), month ?? 0, day ?? 1) <= here ? 0 : 1;
  const from = year ?? here.getFullYear() - latest;
  if (month === undefined) return { start: startOf(from), end: startOf(from + 1) - 1 };
  if (day === undefined) return { start: startOf(from, month), end: startOf(from, month + 1) - 1 };
  return { start: startOf(from, month, day), end: startOf(from, month, day + (days ?? 1)) - 1 };
}

function startOf(year: number, month = 0, day = 1): number {
  return new Date(year, month, day).getTime();
}

function dayAt(now: number, offset: number): { start: number; end: number } {
  const today = new Date(now);
  return dayOf(today.getFullYear(), today.getMonth(), today.getDate() + offset);
}

function dayOf(year: number, month: number, day: number): { start: number; end: number } {
  return { start: startOf(year, month, day), end: startOf(year, month, day + 1) - 1 };
}
