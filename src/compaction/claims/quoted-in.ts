import { claimsApproval } from './approval-words.ts';
import { plainText } from './plain-text.ts';
import { claimsRequest, givesOrders } from './request-words.ts';

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
