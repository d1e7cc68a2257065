import { keyOf } from '../index-file/doc-id.ts';

/** Scores by the number of the message. */
export type Scores = Map<number, number>;

/**
 * What a turn gets of the score of another one that is one, two or three turns away. An answer seldom repeats the words
 * of its question, and comes after it: so what follows a match gets more than what comes before.
 */
const AFTER = [0.5, 0.3, 0.15];
const BEFORE = [0.35, 0.25, 0.1];

/**
 * Lends every turn something of the scores around it. They are put together like the sides of a right angle, not added:
 * a run of turns that all resemble the query a little is worth little more than one of them.
 */
export function lendToNeighbours(scores: Scores): Scores {
  const lent: Scores = new Map();
  for (const [doc, score] of scores) {
    if (score <= 0) continue;
    for (let away = 0; away < AFTER.length; away++) {
      lend(lent, { from: doc, to: doc + away + 1, score: AFTER[away]! * score });
      lend(lent, { from: doc, to: doc - away - 1, score: BEFORE[away]! * score });
    }
  }
  const all: Scores = new Map(scores);
  for (const [doc, squared] of lent) add(all, doc, Math.sqrt(squared));
  return all;
}

/** The number before the first message of a session belongs to another one, which has nothing to do with it. */
function lend(lent: Scores, { from, to, score }: { from: number; to: number; score: number }): void {
  if (keyOf(to) === keyOf(from)) add(lent, to, score ** 2);
}

function add(scores: Scores, doc: number, score: number): void {
  scores.set(doc, (scores.get(doc) ?? 0) + score);
}
