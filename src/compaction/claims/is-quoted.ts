import { claimsApproval } from './approval-words.ts';
import { claimsRequest, givesOrders } from './request-words.ts';

/** Whether a line is what somebody wrote: in quotation marks, or in their words and order, with few left out. */
export function isQuoted(line: string, message: string): boolean {
  const spoken = plain(message);
  const rest = line.replace(/"([^"]+)"|“([^”]+)”|「([^」]+)」|„([^“]+)“/gu, (quote, ...spans) => {
    const words = spans.slice(0, 4).find((span) => typeof span === 'string') as string;
    return spoken.includes(plain(words)) ? ' ' : quote;
  });
  if (rest !== line && !claimsApproval(rest) && !claimsRequest(rest) && !givesOrders(rest)) return true;
  return isWithin(wordsOf(line), wordsOf(message));
}

function isWithin(line: readonly string[], message: readonly string[]): boolean {
  if (line.length === 0) return false;
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
  return plain(text).match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? [];
}

function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
