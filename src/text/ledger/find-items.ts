import type { EntryId, LedgerItem, SummaryFile } from '../../record/index.ts';
import { letterPattern } from '../letter-pattern.ts';

/** What went wrong, at the start of a line, as compilers, runtimes, shells and test runners put it. */
const STRONG =
  /^[ \t>|•*-]*(?:(?:[\w$.]*(?:Error|Exception|Panic)\b(?: \[[^\]\n]{1,60}\])?: .)|(?:error|Error|ERROR)(?:\[\w+\])?(?: TS\d+)?: .|(?:fatal|FATAL|panic|fail|npm error|npm ERR!): .|npm (?:error|ERR!) .|E {3}.|error TS\d+|Traceback \(most recent|[\w./-]+[:(]\d+[:,]\d+\)?:? [-–]?\s?(?:fatal )?error\b|(?:[\w./-]+: )?(?:line \d+: )?[\w./-]+: (?:command not found|No such file or directory|Permission denied))/;
/** How test runners name a test that failed: vitest, jest, pytest, go, rust, TAP, mocha. */
const FAILING =
  /^[ \t]*(?:FAIL(?:ED)?:?[ \t]+\S|--- FAIL: \S|[×✗✘] \S|● .+ › |not ok \d+ |test \S+ \.\.\. FAILED|\d+\) .*(?:should|fails?))/;
const FRAME = /^[ \t]*(?:at (?:.*\()?([^()\s]+:\d+:\d+)\)?|File "([^"]+)", line (\d+))/;

const LONGEST = 200;
const MOST = 12;
const LINES = 4000;
const SHORT = 600;
const COMPLAINT = /^(?:fatal|error|\(eval\)|[a-z][\w-]{0,20}): \S.{3,}/;

/**
 * The lines of a text that say what went wrong, oldest first. A tool that `failed` gives at least one: its first
 * telling line, when none looks like an error and the text is short. Of a `copy` of files only what the program itself
 * complained about counts. A stack trace becomes its head and the first frame.
 */
export function findErrors(
  text: string,
  { failed = false, copy = false }: { failed?: boolean; copy?: boolean } = {},
): string[] {
  if (!failed && !MIGHT.test(text)) return [];
  const lines = text.split('\n', LINES);
  const isError = (line: string) =>
    copy ? COMPLAINT.test(line) : !NOISE.test(line) && (STRONG.test(line) || FAILING.test(line));
  const found: string[] = [];
  for (let index = 0; index < lines.length && found.length < MOST; index++) {
    const line = lines[index]!;
    if (line.length > 2000 || !isError(line)) continue;
    const error = line.startsWith('Traceback') ? pythonError(lines, index) : withFrame(lines, index);
    if (error) found.push(shorten(error));
  }
  if (found.length === 0 && failed && text.length <= SHORT) {
    const telling = lines.find(
      (line) => /\p{L}{3}/u.test(line) && !/^\s*(?:exit code|wall time|output:|\(no output\))/i.test(line),
    );
    if (telling) found.push(shorten(telling));
  }
  return [...new Set(found)];
}

/** How npm repeats that a script failed, which the script itself has said. */
const NOISE =
  /^npm (?:error|ERR!)\s*(?:code \d|code ELIFECYCLE|errno|path|workspace|location|command|syscall|dest|Lifecycle script|A complete log|$)/;

// One cheap look at the whole text, so that ordinary output costs nothing more.
const MIGHT =
  /rror|xception|anic|fatal|FAIL|[×✗✘●]|not ok|Traceback|not found|No such file|denied|ERR!|^E {3}/m;

function withFrame(lines: readonly string[], index: number): string {
  const frame = lines
    .slice(index + 1, index + 4)
    .map((line) => FRAME.exec(line.slice(0, 500)))
    .find((match) => match);
  const place = frame?.[1] ?? (frame?.[2] && `${frame[2]}:${frame[3]}`);
  return place ? `${shorten(lines[index]!)} (${place})` : lines[index]!;
}

/** Python says what went wrong last. */
function pythonError(lines: readonly string[], start: number): string {
  const end = lines.findIndex(
    (line, index) => index > start && /^[\w.]+(?:Error|Exception|Exit|Interrupt)\b/.test(line),
  );
  return end < 0 ? '' : lines[end]!;
}

function shorten(line: string): string {
  const text = line.replace(/\s+/g, ' ').trim();
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1).toWellFormed()}…`;
}

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
const FIND_FIGURES_MOST = 60;

/** Figures of a text as short phrases: "timeout 30 s", "12 tests", "port 5433", "87 %", "2025-03-01". */
export function findFigures(text: string): string[] {
  if (!/\d/.test(text)) return [];
  const found = new Set<string>();
  for (const [date] of text.matchAll(DATE)) {
    if (found.size >= FIND_FIGURES_MOST) return [...found];
    found.add(date);
  }
  for (const match of text.matchAll(NUMBER)) {
    if (found.size >= FIND_FIGURES_MOST) break;
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

const URL_LIKE = /\bhttps?:\/\/[^\s<>"'`\])}|\\]{1,2000}/g;
const FIND_REFERENCES_MOST = 40;

export function findUrls(text: string): string[] {
  if (!text.includes('://')) return [];
  return distinct(text, URL_LIKE).map((url) => url.replace(/[.,;:!?*_]+$/, ''));
}

/** Each kind of identifier, behind a cheap look for what it cannot do without: most texts hold none. */
const IDENTIFIERS: readonly { readonly might: RegExp; readonly pattern: RegExp }[] = [
  {
    might: /-[0-9a-f]{4}-/i,
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  },
  // Commits: letters and digits mixed, so that neither words nor plain numbers pass.
  {
    might: /[a-f]\d|\d[a-f]/,
    pattern: /(?<![\p{L}\p{N}_/.-])(?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\p{L}\p{N}_-])/gu,
  },
  { might: /\w#\d/, pattern: /\b[\w.-]{1,60}\/[\w.-]{1,60}#\d{1,6}\b/g },
  { might: /#\d/, pattern: /(?<![\p{L}\p{N}&/#])#\d{1,6}\b/gu },
  { might: /[RetgM] #?\d/, pattern: /\b(?:PR|pull request|issue|ticket|bug|MR) #?\d{1,6}\b/gi },
  { might: /[A-Z0-9]-\d/, pattern: /\b[A-Z][A-Z0-9]{1,9}-\d{1,6}\b(?!-)/g },
  {
    might: /@v?\d/,
    pattern: /(?<![\p{L}\p{N}_.-])(?:@[\w-]+\/)?[a-z][\w.-]{0,80}@v?\d+(?:\.\d+)*(?:-[\w.]+)?/giu,
  },
  {
    might: /\d\.\d/,
    pattern: /(?<![\p{L}\p{N}_.@-])(?:v\d+(?:\.\d+)+|\d+\.\d+\.\d+)(?:-[\w.]+)?(?![\p{L}\p{N}_]|\.\d)/gu,
  },
  { might: /[A-Z]_[A-Z]/, pattern: /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?![\p{L}\p{N}_])/gu },
];

/** Names that only make sense verbatim: ids, commits, issues, tickets, versions, environment variables. */
export function findIdentifiers(text: string): string[] {
  if (!/\d|_/.test(text)) return [];
  const found = IDENTIFIERS.flatMap(({ might, pattern }) =>
    might.test(text) ? distinct(text, pattern) : [],
  );
  return [...new Set(found)].filter((name) => !COMMON.test(name)).slice(0, FIND_REFERENCES_MOST);
}

// Shapes of identifiers that are ordinary words of the trade.
const COMMON = /^(?:UTF|ISO|SHA|RFC|HTTP|COVID|ES|MD|GPT|AES|RSA|X|A|P|H|T|UTC|GMT)-?\d{1,3}$/i;

function distinct(text: string, pattern: RegExp): string[] {
  const found = new Set<string>();
  for (const [match] of text.matchAll(pattern)) {
    if (found.size >= FIND_REFERENCES_MOST) break;
    found.add(match);
  }
  return [...found];
}

/** At most this many of a kind; the oldest go first. A range holds thousands of figures, a summary has no use for them. */
const NEWEST_ITEMS_MOST: Readonly<Record<string, number>> = {
  command: 600,
  error: 300,
  figure: 600,
  url: 300,
  identifier: 400,
  decision: 200,
  todo: 200,
  done: 200,
};
const MOST_OTHERS = 200;
const MOST_FILES = 1000;

export interface ItemList {
  /** The newest mention of the same text wins, and moves to the end. `key` says what "the same" is. */
  add(item: LedgerItem, key?: string): void;
  list(): LedgerItem[];
}

export function newestItems(): ItemList {
  const kinds = new Map<string, Map<string, { order: number; item: LedgerItem }>>();
  let order = 0;
  return {
    add(item, key = item.text.toLowerCase()) {
      const items = kinds.get(item.kind) ?? new Map<string, { order: number; item: LedgerItem }>();
      kinds.set(item.kind, items);
      items.delete(key);
      items.set(key, { order: order++, item });
      if (items.size > (NEWEST_ITEMS_MOST[item.kind] ?? MOST_OTHERS))
        items.delete(items.keys().next().value!);
    },
    list: () =>
      [...kinds.values()]
        .flatMap((items) => [...items.values()])
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}

export interface FileList {
  add(path: string, operations: readonly string[], from: readonly EntryId[]): void;
  /** Oldest touch first, so that the newest stay when a list is cut from its beginning. */
  list(): SummaryFile[];
}

export function newestFiles(): FileList {
  const files = new Map<
    string,
    { operations: Set<string>; first: readonly EntryId[]; last: EntryId | undefined }
  >();
  return {
    add(path, operations, from) {
      const known = files.get(path);
      files.delete(path);
      files.set(path, {
        operations: new Set([...(known?.operations ?? []), ...operations]),
        first: known?.first.length ? known.first : from.slice(0, 1),
        last: from.at(-1) ?? known?.last,
      });
      if (files.size > MOST_FILES) files.delete(files.keys().next().value!);
    },
    list: () =>
      [...files].map(([path, { operations, first, last }]) => ({
        path,
        operations: [...operations],
        from: [...new Set([...first, ...(last === undefined ? [] : [last])])],
      })),
  };
}
