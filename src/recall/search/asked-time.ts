/** A day, a month or a year that a query names. Months count from 0. */
export interface AskedTime {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?<year>(?:19|20)\\d{2})';

/** Month names count with a capital only: "may" and "march" are verbs. */
const FORMS = [
  new RegExp(`\\b${YEAR}-(?<number>\\d{2})(?:-(?<day>\\d{2}))?\\b`),
  new RegExp(`\\b${DAY},?(?: of)? ${MONTH}(?:,? ${YEAR})?\\b`, 'i'),
  new RegExp(`\\b${MONTH}(?: ${DAY}\\b(?!\\d))?(?:,? ${YEAR})?\\b`, 'i'),
  new RegExp(`\\b${YEAR}\\b`),
];

/** The first time that the query names, as people write them in English, or as ISO dates. */
export function askedTime(text: string): AskedTime | undefined {
  for (const form of FORMS) {
    const groups = form.exec(text)?.groups;
    if (!groups) continue;
    const { year, day, number, month } = groups;
    if (month && month[0] === month[0]!.toLowerCase()) continue;
    const index = number ? Number(number) - 1 : month ? MONTHS.indexOf(month.toLowerCase()) : undefined;
    return {
      ...(year && { year: Number(year) }),
      ...(index !== undefined && { month: index }),
      ...(day && { day: Number(day) }),
    };
  }
  return undefined;
}

/** 1 if everything that was named fits, less for a part of it, 0 if the largest part does not. In UTC. */
export function matchesTime({ year, month, day }: AskedTime, at: number): number {
  const date = new Date(at);
  if (year !== undefined && date.getUTCFullYear() !== year) return 0;
  if (month === undefined) return year === undefined ? 0 : 0.3;
  if (date.getUTCMonth() !== month) return 0;
  if (day === undefined) return 0.5;
  return date.getUTCDate() === day ? 1 : 0.5;
}
