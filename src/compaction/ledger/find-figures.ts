import { letterPattern } from '../../text/index.ts';

// A number counts when it says what it is a number of: a currency, a unit or a noun after it, or a name before it.
const NUMBER =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_#@/.:\\-])([$€£¥₹]?)-?\d+(?:[,.:]\d+)*(?![\p{N}_@/\\])/gu;
/** What measures or counts: a sign, a unit, a plural, or the one letter that counts in scripts without spaces. */
const MEASURE =
  /[ -]?(?:%|‰|°[CF]?|[€£$¥])|[ -]?(?:ms|µs|ns|s|secs?|seconds?|mins?|minutes?|hrs?|h|hours?|days?|weeks?|months?|years?|[kmgt]i?b|bytes?|b|px|r?em|rpm|[kmg]?hz|km|m|cm|mm|kg|g|mg|lbs?|oz|k|bn|[ap]m|x)(?:\/\p{L}{1,8})?(?![\p{L}\p{N}_@/]|[-.][\p{L}\p{N}])|[ -]?\p{Ll}{3,20}s(?![\p{L}\p{N}_@/]|[-.][\p{L}\p{N}])|[\p{Script=Han}\p{Script=Hangul}]/iuy;
const WORD = letterPattern(String.raw`[ -]\p{L}{3,20}(?![\p{L}\p{N}_@/]|[-.][\p{L}\p{N}])`, 'uy');
/** "timeout: 30", "retries = 5", "port 5433", "limit is 10". */
const NAMED = letterPattern(
  String.raw`([\p{L}][\p{L}\p{N}_-]{2,30})(?: ?[:=~≈] ?| (?:is|was|of|[<>≤≥]=?) | )$`,
);
/** "raised to 12", "starts at 9": enough for a number that has nothing else. */
const LOOSELY_NAMED = letterPattern(String.raw`([\p{L}][\p{L}\p{N}_-]{2,30}) (?:to|at|by|from) $`);
const DATE =
  /\b(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.? \d{1,4}(?:st|nd|rd|th)?(?:,? \d{4})?)\b/g;

/** Words beside a number that do not say what it counts. */
const EMPTY = new Set(
  'the and for with from into that this these those than then are was were has have had you your our their its not but can will would should could about over under just only also when where which who what how all any each per out off via let see use used using get got set run ran add is or in on at to of by as be so if it we he she they i a an do did does step line lines page part item option tier phase level section chapter figure table task case example session commit day issue no yes up more most less least such like after before since until'.split(
    ' ',
  ),
);
const MOST = 60;

/** Figures of a text as short phrases: "timeout 30 s", "12 tests", "port 5433", "87 %", "2025-03-01". */
export function findFigures(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const found = new Set<string>();
  for (const [date] of text.matchAll(DATE)) {
    if (found.size >= MOST) return [...found];
    found.add(date);
  }
  for (const match of text.matchAll(NUMBER)) {
    if (found.size >= MOST) break;
    const figure = phrase(text, match);
    if (figure) found.add(figure);
  }
  return [...found];
}

function phrase(text: string, match: RegExpExecArray): string | undefined {
  const [value, currency] = match;
  const end = match.index + value.length;
  const before = text.slice(Math.max(0, match.index - 45), match.index);
  const unit = wordAt(text, end, MEASURE);
  const bare = unit.replace(/[^\p{L}]/gu, '').length <= 2;
  const name = bare && !currency ? nameIn(before, NAMED) : '';
  if (unit || currency || name) return `${name && `${name} `}${value}${unit}`;
  const noun = wordAt(text, end, WORD);
  if (noun) return `${value}${noun}`;
  const loose = nameIn(before, LOOSELY_NAMED);
  return loose ? `${loose} ${value}` : undefined;
}

function wordAt(text: string, index: number, pattern: RegExp): string {
  pattern.lastIndex = index;
  const word = pattern.exec(text)?.[0] ?? '';
  return EMPTY.has(word.replace(/^[ -]/, '').toLowerCase()) ? '' : word;
}

function nameIn(before: string, pattern: RegExp): string {
  const name = pattern.exec(before)?.[1] ?? '';
  return EMPTY.has(name.toLowerCase()) ? '' : name;
}
