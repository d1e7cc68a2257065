import {
  besidePinned,
  type Entry,
  type LedgerItem,
  type Summary,
  type SummaryLine,
  type SummaryList,
  summaryIn,
} from '../record/index.ts';
import { isExact, lineWords, renderSummary, sayTheSame } from '../summary/index.ts';
import { asks, findDecisions } from '../text/index.ts';
import { countText } from '../tokens/index.ts';
import { USER_MARK } from './digest/carry-earlier.ts';
import { LISTED_ELSEWHERE, rankedDigest } from './digest/digest-entries.ts';
import { writtenLines } from './written-lines.ts';

/** A line counts as covered if so large a share of its words stands in one line of the summary. */
const TOLD = 0.7;
/** Lists of a model's summary that give up lines for rules and decisions, the first first. */
const YIELDING = ['topics', 'facts', 'completed'] as const satisfies readonly SummaryList[];

interface KeepOptions {
  readonly entries: readonly Entry[];
  /** The request that the range begins in the middle of. */
  readonly asked?: Entry;
  /** Messages behind the range, which may take back what it says. */
  readonly after?: readonly Entry[];
  /** The most that the summary may take, rendered. */
  readonly maxTokens: number;
}

/**
 * A model's summary with what lasts and it does not tell: lines of older summaries that nothing has closed, and the rules,
 * decisions, open points and goal that the digest finds in the range. Those take the place of the model's oldest topics and
 * facts where there is no room. Facts from the person in the range, and changes of the goal, are added where there is, the most
 * important first.
 */
export function keepLasting(summary: Summary, { entries, ...options }: KeepOptions): Summary {
  const { summary: found, ranked } = rankedDigest(entries, options);
  const tells = toldBy(summary);
  const earlier = entries.flatMap(({ body }) => summaryIn(body) ?? []);
  const wasIn = (list: SummaryList) => {
    const before = earlier.flatMap((one) => one[list] ?? []);
    return ({ text }: SummaryLine) => before.some((line) => sayTheSame(line.text, text));
  };
  const carried = (list: SummaryList): Lasting => ({ list, lines: (found[list] ?? []).filter(wasIn(list)) });
  const all = (list: SummaryList): Lasting => ({ list, lines: found[list] ?? [] });
  const [goal, ...shifts] = (summary.goal ?? []).length > 0 ? [] : (found.goal ?? []);
  const isTold = ({ text }: SummaryLine) => text.startsWith(USER_MARK) && !asks(text);
  // A model judges better than the digest whether a sentence settles something, unless the sentence says that it does.
  const isDecided = ({ text }: SummaryLine) => findDecisions(text).length > 0;
  const isSettled = (line: SummaryLine) => summary.decisions.length === 0 || isDecided(line);
  const people = new Set(entries.flatMap(({ id, body }) => (isPerson(body) ? [id] : [])));
  const told = found.decisions.filter((line) => !isSettled(line) && line.from.some((id) => people.has(id)));
  const firm: readonly Lasting[] = [
    { list: 'goal', lines: goal ? [goal] : [] },
    carried('standing'),
    carried('decisions'),
    carried('pending'),
    carried('blockers'),
    carried('dropped'),
    { list: 'facts', lines: carried('facts').lines.filter(isTold) },
    all('standing'),
    { list: 'decisions', lines: all('decisions').lines.filter(isSettled) },
    { list: 'dropped', lines: all('dropped').lines.filter(isDecided) },
    all('pending'),
  ];
  const rankOf = ({ text }: SummaryLine) => {
    const rank = ranked.findIndex((item) => text.includes(item.text));
    return rank < 0 ? ranked.length : rank;
  };
  const loose: readonly Lasting[] = [
    { list: 'facts', lines: sortBy(found.facts.filter(isTold), rankOf) },
    { list: 'facts', lines: told.map((line) => ({ ...line, text: USER_MARK + line.text })) },
    { list: 'goal', lines: shifts },
  ];
  const fits = (one: Summary) => countText(renderSummary(one)) <= options.maxTokens;
  let added: readonly Added[] = [];
  let written = { ...summary, ledger: summary.ledger.filter(({ kind }) => !LISTED_ELSEWHERE.has(kind)) };
  for (const [lists, yielding] of [
    [firm, YIELDING],
    [loose, []],
  ] as const) {
    for (const one of lists.flatMap(({ list, lines }) => lines.map((line) => ({ list, line })))) {
      // A rule that is the goal too stands in its list all the same.
      const repeats = (other: Added) => other.list !== 'goal' && sayTheSame(other.line.text, one.line.text);
      if (tells(one.line) || added.some(repeats)) continue;
      const more = [...added, one];
      const room = makeRoom(written, { yielding, fits: (less) => fits(withLines(less, more)) });
      if (!room) continue;
      written = room;
      added = more;
    }
  }
  const places = new Map(entries.map(({ id }, at) => [id, at]));
  const placeOf = ({ line }: Added) => Math.max(...line.from.map((id) => places.get(id) ?? -1));
  return withUnsaid(withLines(written, sortBy(added, placeOf)), summary.ledger, fits);
}

/** With those items of the ledger that no line says, the newest first, as many as fit. */
function withUnsaid(
  summary: Summary,
  ledger: readonly LedgerItem[],
  fits: (one: Summary) => boolean,
): Summary {
  const lines = [summary.overview, ...writtenLines(summary)];
  const stays = new Set(summary.ledger);
  const withItems = () => ({ ...summary, ledger: ledger.filter((item) => stays.has(item)) });
  for (const item of ledger.toReversed()) {
    if (stays.has(item) || lines.some((line) => line.includes(item.text))) continue;
    stays.add(item);
    if (!fits(withItems())) stays.delete(item);
  }
  return withItems();
}

function isPerson(body: Entry['body']): boolean {
  return body.kind === 'message' && body.role === 'user';
}

interface Lasting {
  readonly list: SummaryList;
  readonly lines: readonly SummaryLine[];
}

interface Added {
  readonly list: SummaryList;
  readonly line: SummaryLine;
}

/** As much of the summary as leaves room; `undefined` if there is none even so. */
function makeRoom(
  summary: Summary,
  { yielding, fits }: { yielding: readonly (typeof YIELDING)[number][]; fits: (one: Summary) => boolean },
): Summary | undefined {
  let less = summary;
  for (const giving of yielding) {
    while (!fits(less) && less[giving].some(({ pinned }) => !pinned))
      less = { ...less, [giving]: besidePinned(less[giving], (loose) => loose.slice(1)) };
  }
  return fits(less) ? less : undefined;
}

function withLines(summary: Summary, added: readonly Added[]): Summary {
  const lists = Map.groupBy(added, ({ list }) => list);
  const longer = Array.from(lists, ([list, of]) => [
    list,
    [...(summary[list] ?? []), ...of.map(({ line }) => line)],
  ]);
  return { ...summary, ...Object.fromEntries(longer) };
}

function sortBy<T>(list: readonly T[], keyOf: (one: T) => number): T[] {
  const keys = new Map(list.map((one) => [one, keyOf(one)]));
  return list.toSorted((a, b) => keys.get(a)! - keys.get(b)!);
}

/** Whether a line of the summary has most of a line's words, all of its figures, and forbids where it forbids. */
function toldBy(summary: Summary): (line: SummaryLine) => boolean {
  const lines = [...summary.overview.split(/(?<=[.!?。！？])\s*/u), ...writtenLines(summary)].map((text) => ({
    words: lineWords(text),
    denies: DENIES.test(text),
  }));
  return ({ text }) => {
    const words = [...lineWords(text)].filter((word) => !ENDING.test(word));
    const exact = words.filter(isExact);
    const denies = DENIES.test(text);
    return lines.some(
      (line) =>
        line.denies === denies &&
        exact.every((word) => line.words.has(word)) &&
        words.filter((word) => line.words.has(word)).length >= words.length * TOLD,
    );
  };
}

/** A sign of Hiragana alone: any two sentences share most of them. */
const ENDING = /^\p{Script=Hiragana}$/u;

const DENIES =
  /(?<![\p{L}])(?:never|not?|cannot|\p{L}+n['’]t|without|against|avoid|nie(?:mals)?|nicht|kein\p{L}*|ohne|jamais|pas|sans|nunca|jamás|sin|não|sem|mai|non|senza|не|нет|никогда|нельзя|без)(?![\p{L}])|ない|ません|禁止|不|没|别|안 |않|말|금지/iu;
