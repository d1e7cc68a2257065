import { createMemoryStore, deriveEntryId, type Store } from '../src/index.ts';
import { openRecall, type Recall, type SearchOptions } from '../src/recall/index.ts';
import { user } from '../src/testing/index.ts';
import {
  CATEGORIES,
  type Category,
  type Conversation,
  loadLocomo,
  type Question,
  type Turn,
} from './locomo.ts';
import type { Row } from './measure.ts';

const TUNED_ON = 3;
const CUTS = [5, 10, 20] as const;

interface Score {
  readonly category: Category;
  /** Share of the answering turns among the first 5, 10 and 20 hits. */
  readonly found: readonly number[];
  /** 1 ÷ the place of the first of them. */
  readonly reciprocal: number;
  readonly heldOut: boolean;
}

/** How much of what answers a question is found, through the real index: each conversation a store of its own. */
export async function benchQuality(): Promise<Row[]> {
  const conversations = loadLocomo();
  if (!conversations) {
    return [{ work: 'LoCoMo', value: 'the file is not beside the project', target: '' }];
  }
  const rows: Row[] = [];
  for (const { by, name, least } of [
    { by: 'words', name: 'words only', least: [73, 80] },
    { by: 'both', name: 'words and word table', least: [77, 84] },
  ] as const) {
    const all = conversations.map((conversation, number) => ({ number, conversation }));
    const started = performance.now();
    const scores = await scoreAll(
      all.map((one) => [one]),
      { by },
    );
    const each = (performance.now() - started) / scores.length;
    const together = summary(await scoreAll([all], { by }));
    rows.push(
      ...report(name, scores, least),
      {
        work: `${name}: all conversations in one index`,
        value: together.text,
        target: by === 'both' ? 'R@10 ≥ 72' : '',
        ...(by === 'both' && { met: together.found[1]! >= 72 }),
      },
      { work: `${name}: time per question, indexing included`, value: `${each.toFixed(1)} ms`, target: '' },
    );
  }
  return rows;
}

/** Conversations that are searched together: each alone, or all of them in one index. */
type Shelf = readonly { readonly number: number; readonly conversation: Conversation }[];

async function scoreAll(shelves: readonly Shelf[], options: SearchOptions): Promise<Score[]> {
  const scores: Score[] = [];
  for (const shelf of shelves) {
    await using store = createMemoryStore();
    for (const { number, conversation } of shelf) await addConversation(store, number, conversation);
    await using recall = await openRecall(store);
    await recall.catchUp();
    for (const { number, conversation } of shelf) {
      const entryOf = (turn: number) => entryId(number, conversation.turns[turn]!);
      for (const question of conversation.questions)
        scores.push(await scoreOne(recall, question, { entryOf, ...options, heldOut: number >= TUNED_ON }));
    }
  }
  return scores;
}

async function addConversation(store: Store, number: number, { turns }: Conversation): Promise<void> {
  // Turns are called "D8:6": the sixth of the eighth sitting.
  for (const [sitting, said] of Map.groupBy(turns, ({ id }) => id.split(':')[0]!)) {
    const entries = said.map((turn) => ({
      id: entryId(number, turn),
      at: turn.at,
      body: user(turn.text, { meta: { speaker: turn.speaker } }),
    }));
    await store.create({ id: `talk-${number}-${sitting}`, createdAt: said[0]!.at }, entries);
  }
}

function entryId(number: number, { id }: Turn): string {
  return deriveEntryId('locomo', `${number} ${id}`);
}

async function scoreOne(
  recall: Recall,
  { text, category, evidence }: Question,
  { entryOf, heldOut, ...options }: SearchOptions & { entryOf: (turn: number) => string; heldOut: boolean },
): Promise<Score> {
  const hits = await recall.search(text, { ...options, limit: CUTS.at(-1)! });
  const places = evidence.map((turn) => {
    const entry = entryOf(turn);
    const place = hits.findIndex((hit) => hit.entry === entry);
    return place < 0 ? Number.POSITIVE_INFINITY : place;
  });
  return {
    category,
    found: CUTS.map((cut) => places.filter((place) => place < cut).length / places.length),
    reciprocal: 1 / (Math.min(...places) + 1),
    heldOut,
  };
}

function report(
  name: string,
  scores: readonly Score[],
  [least10, least20]: readonly [number, number],
): Row[] {
  const all = summary(scores);
  const rows: Row[] = [
    {
      work: `${name}: all ten conversations`,
      value: all.text,
      target: `R@10 ≥ ${least10}, R@20 ≥ ${least20}`,
      met: all.found[1]! >= least10 && all.found[2]! >= least20,
    },
    {
      work: `${name}: the seven not tuned on`,
      value: summary(scores.filter((s) => s.heldOut)).text,
      target: '',
    },
  ];
  for (const category of CATEGORIES) {
    const value = summary(scores.filter((score) => score.category === category)).text;
    rows.push({ work: `${name}: ${category}`, value, target: '' });
  }
  return rows;
}

function summary(scores: readonly Score[]): { text: string; found: readonly number[]; mrr: number } {
  const mean = (pick: (score: Score) => number) =>
    (100 * scores.reduce((sum, score) => sum + pick(score), 0)) / scores.length;
  const found = CUTS.map((_, index) => mean((score) => score.found[index]!));
  const mrr = mean(({ reciprocal }) => reciprocal);
  const text = `${CUTS.map((cut, index) => `R@${cut} ${found[index]!.toFixed(1)}`).join(', ')}, MRR ${mrr.toFixed(1)} (${scores.length} questions)`;
  return { text, found, mrr };
}
