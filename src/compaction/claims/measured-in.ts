import { withDigits } from '../digest/language/content-words.ts';
import { mainLanguage } from '../digest/language/cues.ts';
import { COMMON, measuresIn } from '../digest/measures.ts';
import { plainText } from './plain-text.ts';

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
