import type { Senses } from '../meaning/embed-message.ts';
import type { Comparison, MeaningMatrix, Nearest } from '../meaning/meaning-matrix.ts';
import { likenessTo } from '../meaning/word-bag.ts';
import type { WordTable } from '../meaning/word-table.ts';
import type { Query } from './parse-query.ts';
import type { Prior } from './priors.ts';
import type { Scope } from './scope.ts';
import type { WordMatch, WordSearch } from './search-words.ts';

// The recipe was measured on long conversations (docs/recall.md). A message's score is half what it is worth by itself
// (words and meaning, half each) and half how well its words cover the query's, near synonyms included. Then the turns
// around it count as well: an answer seldom repeats the words of its question.

const NEAREST = 300;
const COVERED = 150;
const COVER_SHARE = 0.5;
const MEANING_SHARE = 0.5;
/** What a turn gets of the score of the turns one, two and three away. */
const SPREAD = [0.45, 0.25, 0.1];
/** Words less alike than this have nothing to do with each other. */
const LEAST_LIKENESS = 0.4;
/** Nor have texts: the nearest of a hundred strangers is still a stranger. */
const LEAST_COSINE = 0.2;

export interface Ranking {
  readonly query: Query;
  readonly scope: Scope;
  readonly words: WordSearch;
  readonly matrix: MeaningMatrix;
  /** What the query means; absent when only words count. */
  readonly sense: Sense | undefined;
  readonly prior: Prior | undefined;
  readonly byWords: boolean;
  readonly messages: () => number;
  /** How many matches by words are looked at. */
  readonly reach: number;
}

export interface Sense {
  readonly senses: Senses;
  readonly vector: Float32Array;
}

export interface Ranked {
  readonly doc: number;
  readonly score: number;
  /** The share of the query's words, by rarity, that the message has in near synonyms; only where meaning counts. */
  readonly cover?: number;
}

/** Best first. Neighbours of matches are among them, in scope or not, existing or not: that shows when they are read. */
export function rankMessages(ranking: Ranking): Ranked[] {
  const { query, scope, words, sense, prior, byWords, reach } = ranking;
  const matches = byWords ? words.search(query, { scope, limit: reach }) : [];
  const own = scaled(matches);
  if (query.exact || (query.single && !sense)) return sorted(own);
  const { scores, covers } = sense ? withMeaning(own, sense, ranking) : { scores: own };
  const spread = spreadScores(scores);
  return sorted(prior ? withPrior(spread, prior) : spread, covers);
}

type Scores = Map<number, number>;

interface Covered {
  readonly scores: Scores;
  readonly covers: Scores;
}

function scaled(matches: readonly WordMatch[]): Scores {
  const most = matches.reduce((top, { score }) => Math.max(top, score), 0) || 1;
  return new Map(matches.map(({ doc, score }) => [doc, score / most]));
}

function withMeaning(own: Scores, { senses, vector }: Sense, ranking: Ranking): Covered {
  const { matrix, scope, byWords } = ranking;
  const comparison = matrix.compare(vector, { scope, limit: NEAREST });
  const cosines = new Map(comparison.matches.map(({ doc, cosine }) => [doc, cosine]));
  const share = byWords ? MEANING_SHARE : 1;
  const worth: Scores = new Map();
  for (const doc of new Set([...own.keys(), ...cosines.keys()])) {
    const cosine = cosines.get(doc) ?? comparison.kept(doc)?.cosine ?? 0;
    worth.set(doc, (1 - share) * (own.get(doc) ?? 0) + share * nearness(cosine, comparison));
  }
  return withCover(worth, comparison, { ...ranking, table: senses.table });
}

/** 0 for an average message, 1 for the nearest. */
function nearness(cosine: number, { mean, top }: Nearest): number {
  return cosine >= LEAST_COSINE && top > mean ? Math.max(0, (cosine - mean) / (top - mean)) : 0;
}

/** For the best so far and their neighbours: for each query word the most similar word of the message, by rarity. */
function withCover(
  worth: Scores,
  comparison: Comparison,
  { query, words, messages, table }: Ranking & { table: WordTable },
): Covered {
  const best = sorted(spreadScores(worth)).slice(0, COVERED);
  const near = new Set(best.flatMap(({ doc }) => [doc - 2, doc - 1, doc, doc + 1, doc + 2]));
  const all = messages();
  const asked = query.words.map((word) => ({
    likeness: likenessTo(word, table, weighLikeness),
    rarity: Math.log(1 + all / (1 + words.frequency(`"${word}"`))),
  }));
  const whole = asked.reduce((sum, { rarity }) => sum + rarity, 0);
  const covers: Scores = new Map();
  let most = 0;
  for (const doc of near) {
    const bag = comparison.kept(doc)?.words;
    if (!bag) continue;
    let cover = 0;
    for (const { likeness, rarity } of asked) {
      let alike = 0;
      for (let at = 0; at < bag.length; at++) alike = Math.max(alike, likeness[bag[at]!]!);
      cover += rarity * alike;
    }
    covers.set(doc, cover / whole);
    most = Math.max(most, cover / whole);
  }
  const scores: Scores = new Map();
  for (const [doc, score] of worth) scores.set(doc, (1 - COVER_SHARE) * score);
  if (most > 0)
    for (const [doc, cover] of covers) scores.set(doc, (scores.get(doc) ?? 0) + (COVER_SHARE * cover) / most);
  return { scores, covers };
}

function weighLikeness(cosine: number): number {
  return cosine > LEAST_LIKENESS ? cosine * cosine : 0;
}

function spreadScores(scores: Scores): Scores {
  const spread: Scores = new Map(scores);
  for (const [doc, score] of scores) {
    if (score === 0) continue;
    for (const [distance, share] of SPREAD.entries()) {
      for (const other of [doc - distance - 1, doc + distance + 1])
        spread.set(other, (spread.get(other) ?? 0) + share * score);
    }
  }
  return spread;
}

const PRIOR_REACH = 1000;

function withPrior(scores: Scores, prior: Prior): Scores {
  const best = sorted(scores).slice(0, PRIOR_REACH);
  const most = best[0]?.score ?? 0;
  return new Map(best.map(({ doc, score }) => [doc, score + most * prior(doc)]));
}

function sorted(scores: Scores, covers?: Scores): Ranked[] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .map(([doc, score]) => ({ doc, score, ...(covers && { cover: covers.get(doc) ?? 0 }) }))
    .sort((a, b) => b.score - a.score || b.doc - a.doc);
}
