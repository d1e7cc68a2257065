import { keyOf } from '../index/doc-id.ts';
import type { DocKind } from '../index/tables.ts';
import type { Senses } from '../meaning/embed-message.ts';
import type { MeaningMatrix, Nearest } from '../meaning/meaning-matrix.ts';
import { type Covered, coverQuery } from './cover-query.ts';
import type { Query } from './parse-query.ts';
import type { Prior } from './priors.ts';
import type { Scope } from './scope.ts';
import type { WordMatch, WordSearch } from './search-words.ts';

// The recipe was measured on long conversations and on sessions of agents (docs/recall.md). A message's score is half its
// worth alone (words and meaning, half each) and half how well its words cover the query's, near synonyms included. Then the
// turns around it count as well, and its session. What holds the query word for word comes first.

const NEAREST = 300;
const COVERED = 150;
const COVER_SHARE = 0.5;
/** Above 1: to hold nearly all of the query is worth more than to hold twice as much of it as others do. */
const COVER_POWER = 1.6;
/** Where nothing covers more of the query than this, the best is no whole cover. */
const LEAST_COVER = 0.5;
const MEANING_SHARE = 0.5;
/** What a message gets of the best score in its session, where several are searched. */
const SESSION_SHARE = 0.2;
/** Texts less alike have nothing to do with each other: the nearest of a hundred strangers is still a stranger. */
const LEAST_COSINE = 0.15;
/** Where no message has any word of the query, only messages this near have to do with it. */
const LEAST_ALONE = 0.32;
/** What has no word of the query has to be worth this share of the best. */
const FLOOR = 0.25;
/** Where nothing comes nearer than this, the nearest is not near. */
const LEAST_TOP = 0.4;

interface Ranking {
  readonly query: Query;
  readonly scope: Scope;
  readonly words: WordSearch;
  readonly matrix: MeaningMatrix;
  /** What the query means; absent when only words count. */
  readonly sense: Sense | undefined;
  readonly prior: Prior | undefined;
  /** Messages of the time that the query names, whatever they are about. */
  readonly then: readonly number[];
  readonly byWords: boolean;
  /** Who said it, how much of it is questions, and its share of facts. */
  readonly kindsOf: (docs: readonly number[]) => ReadonlyMap<number, DocKind>;
  readonly messages: () => number;
  /** How many matches by words are looked at. */
  readonly reach: number;
}

interface Sense {
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
  const { query, scope, words, sense, prior, then, byWords, reach } = ranking;
  const matches = byWords ? words.search(query, { scope, limit: reach }) : [];
  const own = scaled(matches);
  if (query.exact || (query.single && !sense)) return sorted(prior ? withPrior(own, prior, then) : own);
  const { scores, covers } = sense ? withMeaning(own, sense, ranking) : { scores: own };
  const spread = withSession(withSubstance(lendToNeighbours(scores), ranking));
  const hinted = prior ? withPrior(spread, prior, then) : spread;
  const shown = aboveFloor(withFacts(hinted, ranking), own);
  return sorted(byWords ? withHolders(shown, ranking) : shown, covers);
}

/** So many of the best are looked at. */
const MOST_WEIGHED = 300;
/** The output of a tool counts for less than messages about it. */
const OUTPUT_SHARE = 0.85;
/** What a message loses that only asks. The turns beside it still get what its words are worth: they may answer. */
const ASKING_COSTS = 0.4;

/** In place, as all that follows: there are thousands of scores, and copying them at every step takes as long as the steps. */
function withSubstance(scores: Scores, { kindsOf }: Ranking): Scores {
  const best = bestOf(scores, MOST_WEIGHED);
  const kinds = kindsOf(best.map(({ doc }) => doc));
  for (const { doc, score } of best) {
    const { role, asks = 0 } = kinds.get(doc) ?? {};
    const told = 1 - (ASKING_COSTS * asks) / 100;
    scores.set(doc, score * told * (role === 'tool' ? OUTPUT_SHARE : 1));
  }
  return scores;
}

/** The most that a message gains by its facts: answers have them, and the talk between answers has not. */
const FACTS_GAIN = 0.36;

/** After the priors: a turn of the right person or day that has no facts is no answer either. */
function withFacts(scores: Scores, { kindsOf }: Ranking): Scores {
  const best = bestOf(scores, MOST_WEIGHED);
  const kinds = kindsOf(best.map(({ doc }) => doc));
  for (const { doc, score } of best)
    scores.set(doc, score * (1 + (FACTS_GAIN * (kinds.get(doc)?.facts ?? 0)) / 100));
  return scores;
}

function aboveFloor(scores: Scores, own: Scores): Scores {
  const least = FLOOR * Math.max(0, ...scores.values());
  for (const [doc, score] of scores) if (score < least && !((own.get(doc) ?? 0) > 0)) scores.delete(doc);
  return scores;
}

interface Weighed {
  readonly scores: Scores;
  readonly covers: Covered['own'];
}

function scaled(matches: readonly WordMatch[]): Scores {
  const most = matches.reduce((top, { score }) => Math.max(top, score), 0) || 1;
  return new Map(matches.map(({ doc, score }) => [doc, score / most]));
}

function withMeaning(own: Scores, { senses, vector }: Sense, ranking: Ranking): Weighed {
  const { matrix, scope, byWords } = ranking;
  const comparison = matrix.compare(vector, { scope, limit: NEAREST });
  const cosines = new Map(comparison.matches.map(({ doc, cosine }) => [doc, cosine]));
  const share = byWords ? MEANING_SHARE : 1;
  const nearest = Math.max(0, ...cosines.values());
  if (byWords && own.size === 0 && nearest < LEAST_ALONE) return { scores: own, covers: new Map() };
  comparison.read([...own.keys()].filter((doc) => !cosines.has(doc)));
  const worth: Scores = new Map();
  for (const doc of new Set([...own.keys(), ...cosines.keys()])) {
    const cosine = cosines.get(doc) ?? comparison.cosineOf(doc);
    worth.set(doc, (1 - share) * (own.get(doc) ?? 0) + share * nearness(cosine, comparison));
  }
  // For the best so far and their neighbours.
  const best = bestOf(lendToNeighbours(worth), COVERED);
  const near = new Set(best.flatMap(({ doc }) => [doc - 2, doc - 1, doc, doc + 1, doc + 2]));
  const covered = coverQuery(near, { ...ranking, table: senses.table, comparison });
  return { scores: withCover(worth, covered), covers: covered.own };
}

/** 0 for an average message, 1 for the nearest. */
function nearness(cosine: number, { mean, top }: Nearest): number {
  const whole = Math.max(top, LEAST_TOP) - mean;
  return cosine >= LEAST_COSINE && whole > 0 ? Math.max(0, (cosine - mean) / whole) : 0;
}

function withCover(worth: Scores, { around }: Covered): Scores {
  const most = Math.max(LEAST_COVER, ...around.values());
  const scores: Scores = new Map();
  for (const [doc, score] of worth) scores.set(doc, (1 - COVER_SHARE) * score);
  for (const [doc, cover] of around)
    scores.set(doc, (scores.get(doc) ?? 0) + COVER_SHARE * (cover / most) ** COVER_POWER);
  return scores;
}

/** A session that has one good answer is about the matter. In a single session it makes no difference. */
function withSession(scores: Scores): Scores {
  const best = new Map<number, number>();
  for (const [doc, score] of scores) if (score > (best.get(keyOf(doc)) ?? 0)) best.set(keyOf(doc), score);
  if (best.size < 2) return scores;
  for (const [doc, score] of scores)
    if (score > 0) scores.set(doc, score + SESSION_SHARE * best.get(keyOf(doc))!);
  return scores;
}

/** So many messages that hold a line of the query are looked up. */
const MOST_HOLDERS = 200;

/** What holds the whole query comes before all that only resembles it; of several lines, each counts for its part. */
function withHolders(scores: Scores, { query: { lines }, words, scope }: Ranking): Scores {
  const all = lines.reduce((sum, line) => sum + line.words, 0);
  const held: Scores = new Map();
  for (const { match, words: count } of lines) {
    for (const { doc } of words.holding(match, { scope, limit: MOST_HOLDERS }))
      held.set(doc, (held.get(doc) ?? 0) + count / all);
  }
  if (held.size === 0) return scores;
  const most = Math.max(0, ...scores.values());
  for (const [doc, share] of held) scores.set(doc, (scores.get(doc) ?? 0) + (most || 1) * share);
  return scores;
}

const PRIOR_REACH = 1000;

function withPrior(scores: Scores, prior: Prior, then: readonly number[]): Scores {
  const best = bestOf(scores, PRIOR_REACH);
  const most = best[0]?.score ?? 1;
  const all = new Map([
    ...then.map((doc) => [doc, 0] as const),
    ...best.map(({ doc, score }) => [doc, score] as const),
  ]);
  return new Map(Array.from(all, ([doc, score]) => [doc, score + most * prior(doc)]));
}

/** As many of the best, in the same order. Most scores are small, and sorting those would take longer than all the rest. */
function bestOf(scores: Scores, most: number): Ranked[] {
  if (scores.size <= 2 * most) return sorted(scores).slice(0, most);
  const all = new Float64Array(scores.size);
  let at = 0;
  for (const score of scores.values()) all[at++] = score;
  const least = all.sort().at(-most)!;
  const best: Scores = new Map();
  for (const [doc, score] of scores) if (score >= least) best.set(doc, score);
  return sorted(best).slice(0, most);
}

function sorted(scores: Scores, covers?: Covered['own']): Ranked[] {
  return [...scores]
    .filter(([, score]) => score > 0)
    .map(([doc, score]) => ({ doc, score, ...(covers && { cover: covers.get(doc) ?? 0 }) }))
    .sort((a, b) => b.score - a.score || b.doc - a.doc);
}

/** Scores by the number of the message. */
type Scores = Map<number, number>;

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
