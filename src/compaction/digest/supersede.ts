import { contentWords, figuresIn, isEmpty, sharedWords, withDigits } from './language/content-words.ts';
import { DROPS } from './language/cues.ts';
import type { Line } from './lines.ts';

/** A figure inside a name, as in `part-2.ts`, measures nothing. */
const MEASURED =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{N}_/.#-])(?:(\p{N}+)\.? ?(?:[/–-]|and|to|und|bis|et|au|y|al|e|a|и|по) ?)?(\p{N}+(?:[.,:]\p{N}+)*)(?:\.?\s+|-)?(?:(?:of|de|di|von|the|los|las) )?(%|時間|小时|分钟|か月|个月|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|\p{L}+)/gu;
/** Revises what was settled: the person's change of mind, or the agent's words for it. */
const REVISING = new Set<Line['act']>(['changed', 'restated', 'adopted', 'choice', 'strict', 'weak']);
const SETTLED = new Set<Line['section']>(['decisions', 'standing', 'facts', 'completed']);
const REACH = 400;

/**
 * Leaves out what was replaced later: the same measure with another figure, about the same thing; what a later line says
 * is dropped. Each of these lines was true once, and would be false now.
 */
export function withoutSuperseded(lines: readonly Line[]): Line[] {
  const ordered = [...lines].sort((a, b) => a.place - b.place);
  const gone = new Set<Line>();
  const measures = new Map(ordered.map((line) => [line, measuresIn(line.text)]));
  ordered.forEach((later, at) => {
    const dropped = droppedWords(later);
    const ended = endedWords(later.text);
    const revises = REVISING.has(later.act) && later.section !== 'pending';
    if (!revises && dropped.size === 0 && ended.length === 0) return;
    for (const earlier of ordered.slice(Math.max(0, at - REACH), at)) {
      if (earlier.turn >= later.turn || gone.has(earlier) || !SETTLED.has(earlier.section)) continue;
      if (revises && (replaces(later, earlier, measures) || negates(later, earlier, measures)))
        gone.add(earlier);
      else if (revokes(ended, earlier)) gone.add(earlier);
      else if (isChosen(earlier) && sharedWords(dropped, earlier.words) > 0 && !isChosenAgain(later, earlier))
        gone.add(earlier);
    }
  });
  return lines.filter((line) => !gone.has(line));
}

function isChosen({ section, act }: Line): boolean {
  return section === 'decisions' && act !== 'changed';
}

/** A line that drops one thing in favour of another says both: the earlier one must not name the other too. */
function isChosenAgain(later: Line, earlier: Line): boolean {
  return sharedWords(later.words, earlier.words) * 2 > earlier.words.size;
}

/** By unit: the figures that a line names, in their order. Of "11. and 12. May", both. */
function measuresIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, from, figure, unit] of withDigits(text).matchAll(MEASURED)) {
    if (isEmpty(unit!) && !COMMON.test(unit!)) continue;
    const name = unit!.replace(/(?:es|s|n|en)$/, '');
    const figures = found.get(name) ?? new Set();
    for (const one of [from, figure]) {
      if (one === undefined) continue;
      figures.delete(one);
      figures.add(one);
    }
    found.set(name, figures);
  }
  return found;
}

/** Units that measure everything say nothing about what is measured. */
const COMMON =
  /^(?:%|s|sec|second|sekund|segundo|seconde|min|minut|minuto|minute|h|hour|hora|stund|heur|day|dia|día|tag|jour|week|woch|semana|semain|month|monat|mes|moi|year|jahr|año|an|eur|euro|dollar|ms|k|mb|gb|uhr|日|時間|分|秒|月|年|天|小时|分钟|jan\p{L}*|feb\p{L}*|fév\p{L}*|ene\p{L}*|gen\p{L}*|mar\p{L}*|mär\p{L}*|apr\p{L}*|avr\p{L}*|abr\p{L}*|ma[iyg]\p{L}*|jun\p{L}*|juin|giu\p{L}*|jul\p{L}*|juil\p{L}*|lug\p{L}*|aug\p{L}*|août|ago\p{L}*|sep\p{L}*|set\p{L}*|o[kct]t\p{L}*|out\p{L}*|nov\p{L}*|de[zc]\p{L}*|déc\p{L}*|dic\p{L}*)$/u;

function replaces(
  later: Line,
  earlier: Line,
  measures: ReadonlyMap<Line, ReadonlyMap<string, ReadonlySet<string>>>,
): boolean {
  const old = measures.get(earlier)!;
  if (old.size === 0) return false;
  for (const [unit, figures] of measures.get(later)!) {
    const before = old.get(unit);
    if (!before) continue;
    const common = [...figures].filter((figure) => before.has(figure)).length;
    if (common > 0) {
      if (later.act === 'changed' && moves(figures, before)) return true;
      continue;
    }
    // Right after it, a change that names nothing else is about the same thing.
    const next = later.act === 'changed' && later.turn - earlier.turn <= 1 && ownWords(later, unit) <= 1;
    if (next || !COMMON.test(unit) || wordsShared(later, earlier, unit) >= 1) return true;
  }
  return false;
}

/** "4 May is a holiday, make it 11 May" names what was said and then another; "11. and 12." overlaps "12. and 13.". */
function moves(figures: ReadonlySet<string>, before: ReadonlySet<string>): boolean {
  const named = [...figures];
  const isNew = !before.has(named.at(-1)!) && [...before].every((figure) => figures.has(figure));
  const overlaps = named.length > 1 && before.size > 1 && named.some((figure) => !before.has(figure));
  return isNew || (overlaps && [...before].some((figure) => !figures.has(figure)));
}

const ENDS =
  /(?<![\p{L}])(?:no longer|not any ?more|nicht mehr|ne \p{L}+ plus|n['’]\p{L}+ plus|ya no|já não|non \p{L}+ più|больше не)(?![\p{L}])|不再|もう\P{P}*ない|더 이상/iu;

/** What a line says no longer holds: the words of that clause. */
function endedWords(text: string): readonly string[] {
  if (!ENDS.test(text)) return [];
  const clause = text.split(/[;,:。、]\s*|\.\s+/).find((part) => ENDS.test(part));
  return clause ? [...contentWords(clause)] : [];
}

/** Most of what is said to hold no longer, a figure among it. */
function revokes(ended: readonly string[], { words, section }: Line): boolean {
  if (ended.length < 3 || (section !== 'decisions' && section !== 'standing')) return false;
  const shared = ended.filter((word) => words.has(word));
  return shared.length * 2 >= ended.length && shared.some((word) => /\p{N}/u.test(word));
}

const NOT =
  /(?<![\p{L}])(?:not|instead of|rather than|no longer|nicht|statt|kein\p{L}*|pas|au lieu de|no|en vez de|em vez de|não|non|invece di|не|вместо)(?![\p{L}])(?:\s+\p{L}+){0,2}\s+(\p{N}+(?:[.,:]\p{N}+)*)|(\p{N}+)\S{0,3}(?:ではなく|じゃなくて|而不是)/gu;

/** "three hours, not four": whatever said four of the same measure is no longer so. */
function negates(
  later: Line,
  earlier: Line,
  measures: ReadonlyMap<Line, ReadonlyMap<string, ReadonlySet<string>>>,
): boolean {
  const old = measures.get(earlier)!;
  for (const match of withDigits(later.text).matchAll(NOT)) {
    const figure = (match[1] ?? match[2])!;
    for (const unit of measures.get(later)!.keys()) if (old.get(unit)?.has(figure)) return true;
  }
  return false;
}

/** Words in common, without the unit and the figures. */
function wordsShared(later: Line, earlier: Line, unit: string): number {
  const figures = figuresIn(earlier.text);
  let shared = 0;
  for (const word of later.words)
    if (earlier.words.has(word) && !figures.has(word) && !word.startsWith(unit)) shared++;
  return shared;
}

function ownWords({ words }: Line, unit: string): number {
  return [...words].filter((word) => !/^\p{N}/u.test(word) && !word.startsWith(unit)).length;
}

/** What a line gives up: the names right behind "drop", "instead of", "descartado". */
function droppedWords({ text, words, by, act }: Line): ReadonlySet<string> {
  if (by !== 'user' && act !== 'changed' && act !== 'restated') return NONE;
  const match = DROPS.exec(text);
  if (!match) return NONE;
  const behind = text.slice(match.index + match[0].length, match.index + match[0].length + 40).toLowerCase();
  const named = [...words].filter((word) => word.length > 3 && behind.includes(word));
  return new Set(named.slice(0, 2));
}

const NONE: ReadonlySet<string> = new Set();
