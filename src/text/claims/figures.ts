import { withDigits } from '../language/content-words.ts';
import { mainLanguage } from '../language/cues.ts';
import { COMMON, measuresIn } from '../language/measures.ts';
import { plainText } from './plain-text.ts';
import { claimsApproval, claimsRequest, givesOrders } from './request-words.ts';

/** Measures, not counts: the minutes of a shortened talk are not counted. */
const MEASURED = /^(?:percent|prozent|tim|mal|foi|ve[cz]|volt[ae]|раза?)$/u;
const SPACELESS = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;

/**
 * Tells of a line the measures, "7 times", "15 minutes", whose figure the source has of no such unit. Small figures are in
 * any source. A unit is known by its beginning: "15 min" is "15 minutes". In another language than the talk, units have
 * other words.
 */
export function measuredIn(
  source: string,
  { spoken, summary }: { spoken: string; summary: string },
): (line: string) => string[] {
  const language = mainLanguage(summary);
  const isTheirs = language !== undefined && language === mainLanguage(spoken);
  if (!isTheirs) return () => [];
  let text: string | undefined;
  return (line) => {
    if (SPACELESS.test(line)) return [];
    return [...measuresIn(line)].flatMap(([unit, figures]) => {
      if (unit === 'date' || (!COMMON.test(unit) && !MEASURED.test(unit))) return [];
      text ??= withDigits(plainText(source));
      const named = beginningOf(unit);
      return [...figures].flatMap((figure) => {
        const known = new RegExp(
          String.raw`(?<![\d.,])${figure.replace(/[.]/g, '\\.')}(?:[.,]0+)?[\s\x60*_-]{0,3}(?:more |other )?${named}`,
          'u',
        );
        return known.test(text!) ? [] : [`${figure} ${unit}`];
      });
    });
  };
}

function beginningOf(unit: string): string {
  if (unit === '%' || /^p/.test(unit)) return '(?:%|p)';
  const first = unit.slice(0, 1);
  return unit.length < 3 ? first : String.raw`(?:${unit.slice(0, 3)}|${first}(?:rs?|s)?(?!\p{L}))`;
}

/** A sentence is shorter. Longer lines are not compared word by word, which would take too long. */
const MOST_WORDS = 400;

/**
 * True if a line is a quote from this message: in quotation marks, or in their words and order, with few left out. Many lines
 * are held against one message.
 */
export function quotedIn(message: string): (line: string) => boolean {
  const spoken = plainText(message);
  let words: string[] | undefined;
  return (line) => {
    const rest = line.replace(/"([^"]+)"|“([^“”]+)”|「([^「」]+)」|„([^„“]+)“/gu, (quote, ...spans) => {
      const inside = spans.slice(0, 4).find((span) => typeof span === 'string') as string;
      return spoken.includes(plainText(inside)) ? ' ' : quote;
    });
    if (rest !== line && !claimsApproval(rest) && !claimsRequest(rest) && !givesOrders(rest)) return true;
    words ??= wordsOf(spoken);
    return isWithin(wordsOf(plainText(line)), words);
  };
}

function isWithin(line: readonly string[], message: readonly string[]): boolean {
  if (line.length === 0 || line.length > MOST_WORDS) return false;
  const farthest = line.length * 4 + 10;
  for (let start = message.indexOf(line[0]!); start >= 0; start = message.indexOf(line[0]!, start + 1)) {
    let at = start;
    let found = 1;
    while (found < line.length && at - start < farthest && ++at < message.length) {
      if (message[at] === line[found]) found++;
    }
    if (found === line.length) return true;
  }
  return false;
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}
