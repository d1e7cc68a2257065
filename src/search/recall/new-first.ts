import { tellingWords } from '../../text/index.ts';
import type { Hit } from '../recall.ts';

/** A message with so much of its words in better ones adds little. */
const MOSTLY = 0.8;

/**
 * The best hit, the others that tell something which no better one tells, and then the rest: hits often repeat each other, and
 * the room is better spent on distinct ones.
 */
export function newFirst<Found extends Pick<Hit, 'snippet'>>(hits: readonly Found[]): Found[] {
  const told = new Set<string>();
  const repeated: Found[] = [];
  const own = hits.filter((hit, rank) => {
    const words = wordsOf(hit.snippet);
    if (rank > 0 && words.intersection(told).size >= words.size * MOSTLY) {
      repeated.push(hit);
      return false;
    }
    for (const word of words) told.add(word);
    return true;
  });
  return [...own, ...repeated];
}

function wordsOf(text: string): Set<string> {
  return new Set(
    tellingWords(text).map((word) => word.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')),
  );
}
