const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const YEAR = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' });

/** Short, for lists: "now", "5 min", "3 h", then the date. */
export function sayAge(at: number, now = Date.now()): string {
  const age = now - at;
  if (age < MINUTE) return 'now';
  if (age < HOUR) return `${Math.floor(age / MINUTE)}\u00a0min`;
  if (age < DAY && sameDay(at, now)) return `${Math.floor(age / HOUR)}\u00a0h`;
  return sayDate(at, now);
}

export function sayClock(at: number): string {
  return CLOCK.format(at);
}

export function sayDate(at: number, now = Date.now()): string {
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? DATE.format(at) : YEAR.format(at);
}

/** For the lines between days. */
export function sayDay(at: number, now = Date.now()): string {
  if (sameDay(at, now)) return 'Today';
  if (sameDay(at, now - DAY)) return 'Yesterday';
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? WEEKDAY.format(at) : YEAR.format(at);
}

export function sameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}

/** How the list of sessions is divided. */
export function sayPeriod(at: number, now = Date.now()): string {
  if (sameDay(at, now)) return 'Today';
  if (sameDay(at, now - DAY)) return 'Yesterday';
  if (now - at < 7 * DAY) return 'The last seven days';
  if (now - at < 30 * DAY) return 'The last thirty days';
  return 'Earlier';
}
