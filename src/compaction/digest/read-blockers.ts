import type { SummaryLine } from '../../record/index.ts';
import { type Reading, splitSentences } from '../../text/index.ts';
import { newestOf } from './carry-earlier.ts';
import { cutWords } from './read-requests.ts';

const BLOCKED =
  /\b(?:blocked (?:by|on)|blocker:|can(?:no|['’])t (?:proceed|continue|go on)|unable to (?:proceed|continue)|waiting (?:for|on) (?:you|your|the|an?|approval|access|review)|need(?:s)? (?:your (?:approval|input|decision|confirmation)|access to|credentials|permission)|requires? (?:your|manual) )/i;

const MOST = 5;
const LONGEST = 300;

/** What stood in the way at the end of the range: older obstacles were passed, or they were said again. */
export function readBlockers(readings: readonly Reading[], carried: readonly SummaryLine[]): SummaryLine[] {
  const asked = readings.findLastIndex(({ pieces }) => pieces.some(isQuestion));
  const found = readings.slice(Math.max(0, asked)).flatMap(({ entry: { id, body }, pieces }) => {
    if (body.kind === 'loop' && body.lastError)
      return [{ text: cutWords(body.lastError, LONGEST), from: [id] }];
    return pieces.flatMap((piece) => {
      if (piece.kind !== 'said') return [];
      return splitSentences(piece.text)
        .filter((sentence) => sentence.length < LONGEST && BLOCKED.test(sentence) && !/[?？]$/.test(sentence))
        .map((text) => ({ text, from: [id] }));
    });
  });
  return newestOf(asked < 0 ? [...carried, ...found] : found).slice(-MOST);
}

function isQuestion(piece: Reading['pieces'][number]): boolean {
  return piece.kind === 'said' && piece.role === 'user' && piece.text !== '';
}
