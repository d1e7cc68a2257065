import { isEmpty, mainLanguage, plainText } from '../../text/index.ts';
import { withoutFrame } from './claim-content.ts';

// What a line is about stands in its source in the same words, or nearly all of it: a summary shortens. A line most of whose
// words are nowhere in it tells of something else, not of the conversation: a test that was not run, an invented goal.

/** Of lines that models wrote of what they had read, each had two thirds of its words there. */
const LEAST_SHARE = 0.5;
const LEAST_WORDS = 3;
const MOST_NAMED = 6;
/** A word is known by its beginning: "deleting" is "deletion". Korean words are short, and their endings long. */
const BEGINNING = 4;
const KOREAN_BEGINNING = 2;
const KOREAN = /^\p{Script=Hangul}/u;
const SIGNS = /[\p{Script=Han}\p{Script=Katakana}ー]{2,}/gu;
const SPACELESS = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u;
const KANA = /\p{Script=Hiragana}|\p{Script=Katakana}/u;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Tells of a line the words that a source does not have, if those are most of its words. `spoken`, of the source, is in the
 * languages of the people: a summary in another one has other words for what they said, and tells nothing here.
 */
export function readWords(
  source: string,
  { spoken, summary }: { spoken: string; summary: string },
): (line: string) => string[] {
  const text = plainText(source);
  const beginnings = new Set(wordsIn(text).map(beginningOf));
  const language = mainLanguage(summary);
  const isTheirs = language !== undefined && language === mainLanguage(spoken);
  const [hasSigns, hasKana] = [SPACELESS.test(spoken), KANA.test(spoken)];
  return (line) => {
    const signs = SPACELESS.test(line);
    if (signs ? !hasSigns || KANA.test(line) !== hasKana : !isTheirs) return [];
    const words = [...new Set(signs ? pairsIn(withoutFrame(line)) : tellingIn(withoutFrame(line)))];
    const missing = words.filter(
      (word) => !(signs ? text.includes(word) : beginnings.has(beginningOf(word))),
    );
    const isOther = words.length >= LEAST_WORDS && missing.length > words.length * (1 - LEAST_SHARE);
    return isOther ? missing.slice(0, MOST_NAMED) : [];
  };
}

function beginningOf(word: string): string {
  return word.slice(0, KOREAN.test(word) ? KOREAN_BEGINNING : BEGINNING);
}

/** Two signs are about a word. */
function pairsIn(line: string): string[] {
  const runs = line.match(SIGNS) ?? [];
  return runs.flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)));
}

/** Words with a meaning. Figures are looked for one by one. */
function tellingIn(line: string): string[] {
  return wordsIn(line).filter(
    (word) => !isEmpty(word) && !/\d/.test(word) && (KOREAN.test(word) || word.length > 2),
  );
}

function wordsIn(text: string): string[] {
  return text.match(WORD) ?? [];
}
