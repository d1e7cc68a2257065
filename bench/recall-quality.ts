import { createMemoryStore, deriveEntryId, type EntryId, type Store } from '../src/index.ts';
import { openRecall } from '../src/search/index.ts';
import { openSentenceModel } from '../src/search/meaning/sentence-model.ts';
import type { Embedder, SearchOptions } from '../src/search/recall.ts';
import { user } from '../src/testing/index.ts';
import { bareSearch, fusedSearch, type Search } from './bare-search.ts';
import { type Chat, type ChatTurn, loadChats } from './load-chats.ts';
import type { Row } from './measure.ts';

export interface QualityOptions {
  /** A folder of chats with questions and evidence (load-chats.ts), in place of LoCoMo. */
  readonly data?: string;
  /** A folder whose node_modules have the sentence model; without it the rows that need it are left out. */
  readonly model?: string;
}

const TUNED_ON = 3;
const CUTS = [5, 10, 20] as const;
/** Of other chats nothing was seen before: what counts there is how far ahead of bare full text the search is. */
const LEAST_LEAD = 10;

interface Score {
  readonly kind: string;
  /** Share of the answering turns among the first 5, 10 and 20 hits. */
  readonly found: readonly number[];
  /** 1 ÷ the place of the first of them. */
  readonly reciprocal: number;
  readonly heldOut: boolean;
}

/** Chats that are searched together: each alone, or all of them in one index. */
type Shelf = readonly { readonly number: number; readonly chat: Chat }[];
type MakeSearch = (shelf: Shelf) => Promise<AsyncDisposable & { readonly search: Search }>;

/** How much of what answers a question is found, through the real index: each chat a store of its own, and all in one. */
export async function benchQuality({ data, model }: QualityOptions = {}): Promise<Row[]> {
  const chats = loadChats(data);
  if (!chats) return [{ work: 'LoCoMo', value: 'the file is not beside the project', target: '' }];
  const all = chats.map((chat, number) => ({ number, chat }));
  const each = all.map((one) => [one]);
  const bare = await scoreAll(each, bareOn());
  const rows = [row('bare FTS5, bm25, stemmed: each chat alone', bare)];
  rows.push(row('bare FTS5, bm25, stemmed: all in one index', await scoreAll([all], bareOn())));
  if (model !== undefined) {
    const embedder = await openSentenceModel({ folder: model });
    rows.push(row('bare FTS5 and a sentence model', await scoreAll(each, bareOn(embedder))));
    rows.push(row('words and the sentence model', await scoreAll(each, oursOn({}, embedder))));
  }
  const lead = summary(bare).found[1]! + LEAST_LEAD;
  for (const { by, name, least } of [
    { by: 'words', name: 'words only', least: [73, 80] },
    { by: 'both', name: 'words and word table', least: [79, 85] },
  ] as const) {
    const started = performance.now();
    const scores = await scoreAll(each, oursOn({ by }));
    const spent = (performance.now() - started) / scores.length;
    const together = await scoreAll([all], oursOn({ by }));
    const [least10, least20] = data === undefined ? least : by === 'both' ? [lead, 0] : [0, 0];
    rows.push(
      ...report(name, scores, { least10, least20 }),
      {
        ...row(`${name}: all chats in one index`, together),
        ...(by === 'both' &&
          data === undefined && { target: 'R@10 ≥ 75', met: summary(together).found[1]! >= 75 }),
      },
      { work: `${name}: time per question, indexing included`, value: `${spent.toFixed(1)} ms`, target: '' },
    );
  }
  return rows;
}

async function scoreAll(shelves: readonly Shelf[], make: MakeSearch): Promise<Score[]> {
  const scores: Score[] = [];
  for (const shelf of shelves) {
    await using made = await make(shelf);
    for (const { number, chat } of shelf) {
      for (const { text, kind, evidence } of chat.questions) {
        const hits = await made.search(text, CUTS.at(-1)!);
        const places = evidence.map((turn) => {
          const place = hits.indexOf(entryId(number, chat.turns[turn]!));
          return place < 0 ? Number.POSITIVE_INFINITY : place;
        });
        scores.push({
          kind,
          found: CUTS.map((cut) => places.filter((place) => place < cut).length / places.length),
          reciprocal: 1 / (Math.min(...places) + 1),
          heldOut: number >= TUNED_ON,
        });
      }
    }
  }
  return scores;
}

function oursOn(options: SearchOptions, embedder?: Embedder): MakeSearch {
  return async (shelf) => {
    const held = new AsyncDisposableStack();
    const store = held.use(createMemoryStore());
    for (const { number, chat } of shelf) await addChat(store, number, chat);
    const recall = held.use(await openRecall(store, { ...(embedder && { embedder }) }));
    await recall.catchUp();
    return {
      search: async (query, limit) =>
        (await recall.search(query, { ...options, limit })).map(({ entry }) => entry),
      [Symbol.asyncDispose]: () => held.disposeAsync(),
    };
  };
}

function bareOn(embedder?: Embedder): MakeSearch {
  return async (shelf) => {
    const messages = shelf.flatMap(({ number, chat }) =>
      chat.turns.map((turn) => ({ entry: entryId(number, turn), text: turn.text, role: 'user' as const })),
    );
    const bare = bareSearch(messages, 'porter unicode61');
    return {
      search: embedder ? await fusedSearch(messages, bare, embedder) : bare,
      async [Symbol.asyncDispose]() {},
    };
  };
}

async function addChat(store: Store, number: number, { turns }: Chat): Promise<void> {
  for (const [sitting, said] of Map.groupBy(turns, (turn) => turn.sitting)) {
    const entries = said.map((turn) => ({
      id: entryId(number, turn),
      at: turn.at,
      body: user(turn.text, { meta: { speaker: turn.speaker } }),
    }));
    await store.create({ id: `talk-${number}-${sitting}`, createdAt: said[0]!.at }, entries);
  }
}

function entryId(number: number, { id }: ChatTurn): EntryId {
  return deriveEntryId('locomo', `${number} ${id}`);
}

function report(
  name: string,
  scores: readonly Score[],
  { least10, least20 }: { least10: number; least20: number },
): Row[] {
  const { found } = summary(scores);
  const target =
    least10 === 0 ? '' : `R@10 ≥ ${least10.toFixed(0)}${least20 > 0 ? `, R@20 ≥ ${least20}` : ''}`;
  return [
    {
      ...row(`${name}: each chat alone`, scores),
      target,
      ...(target !== '' && { met: found[1]! >= least10 && found[2]! >= least20 }),
    },
    row(
      `${name}: those after the third, not tuned on`,
      scores.filter((score) => score.heldOut),
    ),
    ...Array.from(
      Map.groupBy(scores, ({ kind }) => kind),
      ([kind, some]) => row(`${name}: ${kind}`, some),
    ),
  ];
}

function row(work: string, scores: readonly Score[]): Row {
  return { work, value: summary(scores).text, target: '' };
}

function summary(scores: readonly Score[]): { text: string; found: readonly number[] } {
  const mean = (pick: (score: Score) => number) =>
    (100 * scores.reduce((sum, score) => sum + pick(score), 0)) / scores.length;
  const found = CUTS.map((_, index) => mean((score) => score.found[index]!));
  const mrr = mean(({ reciprocal }) => reciprocal);
  const text = `${CUTS.map((cut, index) => `R@${cut} ${found[index]!.toFixed(1)}`).join(', ')}, MRR ${mrr.toFixed(1)} (${scores.length} questions)`;
  return { text, found };
}
