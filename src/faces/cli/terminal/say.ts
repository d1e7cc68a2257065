import { sayCount } from '../../../text/index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago, as people say it; the day itself once it is more than a month. */
export function sayAge(at: number, now: number = Date.now()): string {
  const age = now - at;
  if (age < -MINUTE || age >= 31 * DAY || Number.isNaN(age)) return sayTime(at).slice(0, 10);
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`;
  return age < 2 * DAY ? 'yesterday' : `${Math.floor(age / DAY)} days ago`;
}

/** Local time to the minute, in the order that sorts. */
export function sayTime(at: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return String(at);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}

export function sayBytes(bytes: number): string {
  if (bytes < 1000) return sayCount(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 9.95 ? 1 : 0)} ${units[unit]}`;
}
