import type { EntryId } from '../../record/index.ts';
import { sayLine } from '../../summary/index.ts';
import {
  COMMON,
  contentWords,
  createLine,
  DATE,
  figuresIn,
  hasFigures,
  type Line,
  letterPattern,
  MONTH,
  measuresIn,
  sharedWords,
  tellsAnything,
  withDigits,
} from '../../text/index.ts';
import { withoutTakenBack } from './take-back.ts';
import { tellOfTwoThings } from './two-things.ts';

/** Revises decisions: the person's change of mind, or the agent's words for it. */
const REVISING = new Set<Line['act']>(['changed', 'restated', 'adopted', 'choice', 'strict', 'weak']);
/** A reply with another figure of the same measure than the one it answers. */
const ANSWERS = new Set<Line['act']>(['changed', 'choice']);
const SETTLED = new Set<Line['section']>(['decisions', 'standing', 'facts', 'completed']);
const REACH = 400;

/** By line with figures: those of each unit. */
type Measures = ReadonlyMap<Line, ReadonlyMap<string, ReadonlySet<string>>>;

interface Standing {
  readonly kept: Line[];
  /** Replaced content, also in other words. */
  readonly withdrawn: readonly { readonly text: string; readonly from: readonly EntryId[] }[];
}

/**
 * Leaves out replaced lines: the same measure with another figure, about the same thing; what a later line says is dropped.
 * Each of these lines was true once, and would be false now.
 */
export function withoutSuperseded(lines: readonly Line[]): Standing {
  const ordered = [...lines].sort((a, b) => a.place - b.place);
  const gone = new Set<Line>();
  const replaced = new Map<Line, Line>();
  const measures: Measures = new Map(
    ordered.flatMap((line) => (hasFigures(line.text) ? [[line, measuresIn(line.text)]] : [])),
  );
  const settled = ordered.flatMap(({ section }, at) => (SETTLED.has(section) ? [at] : []));
  const figured = settled.filter((at) => measures.has(ordered[at]!));
  ordered.forEach((later, at) => {
    const small = later.text.toLowerCase();
    const dropped = droppedWords(later, small);
    const ended = endedWords(small);
    const revises = REVISING.has(later.act) && later.section !== 'pending';
    const returned = measures.has(later) ? returnedTo(later.text) : undefined;
    const measured = revises && measures.has(later);
    const byWords = dropped.size > 0 || ended.length > 0 || returned !== undefined;
    if (!measured && !byWords) return;
    const negated = measured ? negatedFigures(later.text) : [];
    const places = byWords ? settled : figured;
    for (let next = firstFrom(places, at - REACH); next < places.length; next++) {
      const before = places[next]!;
      if (before >= at) break;
      const earlier = ordered[before]!;
      if (earlier.turn >= later.turn || gone.has(earlier)) continue;
      if (
        measured &&
        (replaces(later, earlier, measures) || negates(later, earlier, { measures, negated }))
      ) {
        gone.add(earlier);
        if (isDecided(later) && isDecided(earlier) && areAlike(later, earlier)) replaced.set(later, earlier);
      } else if (revokes(ended, earlier) || (returned && movedFrom(earlier.text) === returned))
        gone.add(earlier);
      else if (isChosen(earlier) && sharedWords(dropped, earlier.words) > 0 && !isChosenAgain(later, earlier))
        gone.add(earlier);
    }
  });
  const left = lines.flatMap((line) => (gone.has(line) ? [] : [withReplaced(line, replaced.get(line))]));
  const kept = withoutTakenBack(left);
  const said = new Set(kept.flatMap(textsOf));
  const withdrawn = lines.flatMap((line) =>
    textsOf(line).flatMap((text) => (said.has(text) ? [] : [{ text, from: line.from }])),
  );
  return { kept, withdrawn };
}

/** Which of places in ascending order is the first that is not below `least`. */
function firstFrom(places: readonly number[], least: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (places[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isDecided({ section, act }: Line): boolean {
  return section === 'decisions' && act !== 'carried';
}

/** A figure may take the place of another by chance; two lines that name the same things are about one. */
function areAlike(later: Line, earlier: Line): boolean {
  return wordsShared(later, earlier, '\n') >= 2;
}

const LONGEST_REPLACED = 80;

/** The decision with the one whose place it took: a successor who meets the old value elsewhere knows which one holds. */
function withReplaced(line: Line, earlier: Line | undefined): Line {
  if (!earlier || earlier.text.length > LONGEST_REPLACED) return line;
  return createLine({ ...line, text: sayLine({ text: line.text, supersedes: earlier.text }) });
}

function textsOf({ text, items = [text] }: Line): readonly string[] {
  return items;
}

function isChosen({ section, act }: Line): boolean {
  return section === 'decisions' && act !== 'changed';
}

/** A line that drops one thing in favour of another says both: the earlier one must not name the other too. */
function isChosenAgain(later: Line, earlier: Line): boolean {
  return sharedWords(later.words, earlier.words) * 2 > earlier.words.size;
}

function replaces(later: Line, earlier: Line, measures: Measures): boolean {
  const old = measures.get(earlier);
  const now = measures.get(later)!;
  // Most lines measure nothing in common, and are not looked at further.
  if (!old || !sharesUnit(now, old) || tellOfTwoThings(later, earlier)) return false;
  for (const [unit, figures] of now) {
    const before = old.get(unit);
    if (!before) continue;
    const common = [...figures].filter((figure) => before.has(figure)).length;
    if (common > 0) {
      if (later.act === 'changed' && moves(figures, before)) return true;
      continue;
    }
    // Right after it, a change that names nothing else is about the same thing.
    const answers = later.by === 'user' && earlier.by === 'agent';
    const next =
      later.turn - earlier.turn <= 1 &&
      (answers ? ANSWERS.has(later.act) : later.act === 'changed' && ownWords(later, unit) <= 1);
    if (next || !COMMON.test(unit) || wordsShared(later, earlier, unit) >= 1) return true;
  }
  return false;
}

function sharesUnit(now: ReadonlyMap<string, unknown>, old: ReadonlyMap<string, unknown>): boolean {
  for (const unit of now.keys()) if (old.has(unit)) return true;
  return false;
}

/** "4 May is a holiday, make it 11 May" names the old value and then the new one; "11. and 12." overlaps "12. and 13.". */
function moves(figures: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  const named = [...figures];
  const isNew = !before.has(named.at(-1)!) && [...before].every((figure) => figures.has(figure));
  const overlaps = named.length > 1 && before.size > 1 && named.some((figure) => !before.has(figure));
  return isNew || (overlaps && [...before].some((figure) => !figures.has(figure)));
}

const ENDS = letterPattern(
  String.raw`(?<![\p{L}])(?:no longer|not any ?more|nicht mehr|ne \p{L}+ plus|n['’]\p{L}+ plus|ya no|já não|non \p{L}+ più|больше не)(?![\p{L}])|不再|もう\P{P}*ない|더 이상`,
);

/** What a line says no longer holds: the words of that clause. */
function endedWords(small: string): readonly string[] {
  if (!ENDS.test(small)) return [];
  const clause = small.split(/[;,:。、]\s*|\.\s+/).find((part) => ENDS.test(part));
  return clause ? [...contentWords(clause)] : [];
}

/** Most of the words of a revoked line, a figure among them. */
function revokes(ended: readonly string[], { words, section }: Line): boolean {
  if (ended.length < 3 || (section !== 'decisions' && section !== 'standing')) return false;
  const shared = ended.filter((word) => words.has(word));
  return shared.length * 2 >= ended.length && shared.some((word) => /\p{N}/u.test(word));
}

const BACK =
  /(?<![\p{L}])(?:back to|zurück auf|retour à|de vuelta a|de volta a|di nuovo a|обратно (?:на|до))\s+(\p{N}+(?:[.,:]\p{N}+)*)/u;
const FROM =
  /(?<![\p{L}])(?:from|von|de|da|с|со)\s+(\p{N}+(?:[.,:]\p{N}+)*)\s+(?:to|auf|à|a|para|на|до)\s+\p{N}/u;

/** "back to 10" undoes "from 10 to 30": the figure that holds again. */
function returnedTo(text: string): string | undefined {
  return BACK.exec(withDigits(text))?.[1];
}

function movedFrom(text: string): string | undefined {
  return FROM.exec(withDigits(text))?.[1];
}

const NOT =
  /(?<![\p{L}])(?:not|instead of|rather than|no longer|nicht|statt|kein\p{L}*|pas|au lieu de|no|en vez de|em vez de|não|non|invece di|не|вместо)(?![\p{L}])(?:\s+\p{L}+){0,2}\s+(\p{N}+(?:[.,:]\p{N}+)*)|(\p{N}+)\S{0,3}(?:ではなく|じゃなくて|而不是)/gu;

function negatedFigures(text: string): string[] {
  return [...withDigits(text).matchAll(NOT)].map((match) => (match[1] ?? match[2])!);
}

/** A time of day needs no unit to be known by. */
const TIME = /^\p{N}{1,2}:\p{N}\p{N}$/u;

/** "three hours, not four": whatever said four of the same measure is no longer so. */
function negates(
  later: Line,
  earlier: Line,
  { measures, negated }: { measures: Measures; negated: readonly string[] },
): boolean {
  if (negated.length === 0) return false;
  const old = measures.get(earlier);
  const isSame = (figure: string) =>
    [...measures.get(later)!.keys()].some((unit) => old?.get(unit)?.has(figure)) ||
    (TIME.test(figure) && figuresIn(earlier.text).has(figure));
  return negated.some(isSame);
}

/** Words in common, without the unit and the figures. */
function wordsShared(later: Line, earlier: Line, unit: string): number {
  const figures = figuresIn(earlier.text);
  let shared = 0;
  for (const word of later.words)
    if (
      earlier.words.has(word) &&
      !figures.has(word) &&
      !word.startsWith(unit) &&
      !(unit === DATE && MONTH.test(word))
    )
      shared++;
  return shared;
}

function ownWords({ words }: Line, unit: string): number {
  return [...words].filter((word) => !/^\p{N}/u.test(word) && !word.startsWith(unit)).length;
}

/** Gives something up, in small letters: the words behind it name what. */
const DROPS = letterPattern(
  String.raw`(?<![\p{L}])(?:drop(?:ped)?|(?:get )?rid of|no more|remove|without|instead of|rather than|not|weg mit|statt|kein(?:e|en)?|plus de|au lieu de|abandonn\p{L}+|à la place de|plutôt que|descartad[oa]s? (?:el|la|los|las)|en vez de|en lugar de|nada de|em vez de|sem|invece di|niente|вместо|убира\p{L}+|без)(?![\p{L}])|不用|取消|放弃|去掉|而不是`,
);
/** The words before it do: "the mill is out", "Kafkaじゃなくて". */
const IS_DROPPED = letterPattern(
  String.raw`(?:['’]s|(?<![\p{L}])(?:is|are)) (?:out|off|off the table|dropped|gone)(?=[.,;:!]|$| then)|(?<![\p{L}])(?:ist|sind) (?:raus|gestrichen|verworfen|vom tisch)(?![\p{L}])|(?<![\p{L}])(?:fällt|fallen) (?:weg|raus|aus)(?![\p{L}])|(?<![\p{L}])(?:est|sont) (?:exclue?s?|écartée?s?|abandonnée?s?)(?![\p{L}])|(?<![\p{L}])(?:(?:queda|quedan|está|están) )?(?:descartad[oa]s?|fuera)(?=[.,;:!]|$)|(?<![\p{L}])(?:está|estão|fica|ficam) (?:fora|descartad[oa]s?)(?![\p{L}])|(?<![\p{L}])(?:è|sono) (?:fuori|esclus[oaie]|scartat[oaie])(?![\p{L}])|(?<![\p{L}])(?:отпада\p{L}+|отменя\p{L}+|не подходит)(?![\p{L}])|(?:は|を)?やめ|は廃止|ではなく|じゃなくて|の?代わりに| ?말고| ?대신`,
);

const DROPPED_WORDS_REACH = 40;
const NONE: ReadonlySet<string> = new Set();

/** Words of what a line gives up: the names right behind "drop" or "instead of", or those before "is out". */
function droppedWords({ by, act }: Line, small: string): ReadonlySet<string> {
  if (by !== 'user' && act !== 'changed' && act !== 'restated') return NONE;
  const dropped = IS_DROPPED.exec(small);
  if (dropped)
    return new Set(namesIn(small.slice(0, dropped.index).slice(-DROPPED_WORDS_REACH)).slice(-MOST));
  const match = DROPS.exec(small);
  if (!match) return NONE;
  return new Set(
    namesIn(small.slice(match.index + match[0].length).slice(0, DROPPED_WORDS_REACH)).slice(0, MOST),
  );
}

const MOST = 2;

function namesIn(text: string): string[] {
  return [...contentWords(text)].filter((word) => word.length > 3 && tellsAnything(word));
}
