import { contentWords, type Line, letterPattern, withoutItems } from '../../text/index.ts';
import { isOpenPoint } from './settle-open.ts';

const GIVES_UP = letterPattern(
  String.raw`(?<![\p{L}])(?:remov(?:e|ed|es|ing)|dropp?(?:ed|ing)?|deleted|instead of|rather than|no longer|entfernt|statt|supprim\p{L}+|au lieu de|eliminad\p{L}+|quitad\p{L}+|en vez de|em vez de|removid\p{L}+|rimoss\p{L}+|invece di|вместо|удал\p{L}+)(?![\p{L}])`,
  'gu',
);
const CLAUSE = /[.,;:()—–\n。、]| - | → /u;
const LONGEST_CLAUSE = 70;
/** So many turns back a report is looked for. */
const REACH = 60;
/** An issue or a pull request, by its mark or by its address. */
const NUMBERED = /#(\d{2,})\b|\/(?:issues|pull|merge_requests)\/(\d+)/g;

interface TakenBack {
  readonly turn: number;
  /** Words of an abandoned plan, as an agent reported it. */
  readonly words: readonly string[];
  /** What the person corrected the agent about. */
  readonly name?: string;
}

/**
 * Leaves out what an agent said of a thing that it removed or did otherwise later, and what it said of an issue before the
 * person corrected it there. Of a list only those items go.
 */
export function withoutTakenBack(lines: readonly Line[]): Line[] {
  const back = lines.flatMap((line) =>
    line.act === 'carried' ? NOTHING : line.by === 'agent' ? givenUp(line) : corrected(line),
  );
  if (back.length === 0) return [...lines];
  return lines.flatMap((line) => {
    if (line.by !== 'agent' || isOpenPoint(line) || line.section === 'dropped') return [line];
    const later = back.filter(({ turn }) => turn > line.turn && turn <= line.turn + REACH);
    if (later.length === 0) return [line];
    const isGone = (item: string) => {
      const text = item.toLowerCase();
      return later.some((one) => (one.name ? namesIn(text).has(one.name) : says(text, one.words)));
    };
    return withoutItems(line, isGone) ?? [];
  });
}

/** Two words at least, and most of them: one alone stands in many sentences. */
function says(text: string, words: readonly string[]): boolean {
  const said = words.filter((word) => text.includes(word)).length;
  return said >= 2 && said * 5 >= words.length * 3 && text.search(GIVES_UP) < 0;
}

const NOTHING: readonly TakenBack[] = [];

function givenUp({ text, by, turn, section }: Line): readonly TakenBack[] {
  if (by !== 'agent' || section === 'pending') return NOTHING;
  const small = text.toLowerCase();
  if (small.search(GIVES_UP) < 0) return NOTHING;
  return [...small.matchAll(GIVES_UP)].flatMap((match) => {
    const behind = small.slice(match.index + match[0].length, match.index + match[0].length + LONGEST_CLAUSE);
    const words = [...contentWords(behind.trimStart().split(CLAUSE)[0]!)].filter((word) => word.length > 3);
    return words.length < 2 ? [] : [{ turn, words }];
  });
}

function corrected({ text, by, act, turn }: Line): readonly TakenBack[] {
  if (by !== 'user' || act !== 'changed') return NOTHING;
  const names = namesIn(text);
  return names.size === 1 ? [...names].map((name) => ({ turn, words: [], name })) : [];
}

function namesIn(text: string): Set<string> {
  return new Set([...text.matchAll(NUMBERED)].map(([, mark, address]) => (mark ?? address)!));
}
