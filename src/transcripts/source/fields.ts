import type { Usage } from '../../record/index.ts';
import type { Fields } from './recover-line.ts';

// Foreign files hold anything. These return a value if it has the expected type.

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

const LAST_DATE = 8.64e15;

/** Milliseconds of a time that is given as text or as a number. */
export function timeOf(value: unknown): number | undefined {
  const time = typeof value === 'string' ? parseTime(value) : typeof value === 'number' ? value : Number.NaN;
  return time >= 0 && time <= LAST_DATE ? Math.floor(time) : undefined;
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
let day = { text: '', time: 0 };

/** Nearly every line has a time, nearly all in this form, and most on the day of the one before. */
function parseTime(text: string): number {
  if (text.length !== 24 || !ISO.test(text)) return Date.parse(text);
  const date = text.slice(0, 11);
  if (date !== day.text) day = { text: date, time: Date.parse(`${date}00:00:00.000Z`) };
  const two = (at: number) => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
  const [hours, minutes, seconds] = [two(11), two(14), two(17)];
  // Odd ones (a 24th hour, a leap second) are for the full parser to judge.
  if (hours > 23 || minutes > 59 || seconds > 59) return Date.parse(text);
  return day.time + ((hours * 60 + minutes) * 60 + seconds) * 1000 + two(20) * 10 + text.charCodeAt(22) - 48;
}

/** A usage from counts that may be missing; `undefined` if none is there or all are 0. */
export function readTranscriptUsage(counts: { readonly [name in keyof Usage]?: unknown }): Usage | undefined {
  const usage: Usage = {
    inputTokens: countOf(counts.inputTokens) ?? 0,
    outputTokens: countOf(counts.outputTokens) ?? 0,
  };
  let any = usage.inputTokens > 0 || usage.outputTokens > 0;
  for (const name of MORE_COUNTS) {
    const count = countOf(counts[name]);
    if (count === undefined) continue;
    usage[name] = count;
    any ||= count > 0;
  }
  return any ? usage : undefined;
}

const MORE_COUNTS = ['reasoningTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cost'] as const;
