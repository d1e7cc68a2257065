import { createMemoryStore, deriveEntryId } from '../src/index.ts';
import { openRecall, type Recall, type SearchOptions } from '../src/recall/index.ts';
import { user } from '../src/testing/index.ts';
import type { Row } from './measure.ts';
import { type Conversation, type Question, readLocomo } from './recall-locomo.ts';

const TUNED_ON = 3;
const CUTS = [5, 10, 20] as const;

export interface Score {
  readonly category: Question['category'];
  /** Share of the answering turns among the first 5, 10 and 20 hits. */
  readonly found: readonly number[];
  /** 1 ÷ the place of the first of them. */
  readonly reciprocal: number;
  readonly heldOut: boolean;
}

/** How much of what answers a question is found, through the real index: each conversation a store of its own. */
export async function benchQuality(): Promise<Row[]> {
  const conversations = readLocomo();
  if (!conversations) {
    return [{ work: 'LoCoMo', value: 'the file is not beside the project', target: '' }];
  }
  const rows: Row[] = [];
  for (const { by, name, least } of [
    { by: 'words', name: 'words only', least: [73, 80] },
    { by: 'both', name: 'words and word table', least: [77, 84] },
  ] as const) {
    const started = performance.now();
    const scores = await scoreAll(conversations, { by });
    const each = (performance.now() - started) / scores.length;
    rows.push(...report(name, scores, least), {
      work: `${name}: time per question, indexing included`,
      value: `${each.toFixed(1)} ms`,
      target: '',
    });
  }
  return rows;
}

export async function scoreAll(
  conversations: readonly Conversation[],
  options: SearchOptions,
): Promise<Score[]> {
  const scores: Score[] = [];
  for (const [index, conversation] of conversations.entries()) {
    await using store = createMemoryStore();
    for (const [sitting, turns] of conversation.sittings.entries()) {
      if (turns.length === 0) continue;
      const entries = turns.map(({ id, speaker, text, at }) => ({
        id: deriveEntryId('locomo', id),
        at,
        body: user(text, { meta: { speaker } }),
      }));
      await store.create({ id: `sitting-${sitting}`, createdAt: turns[0]!.at }, entries);
    }
    await using recall = await openRecall(store);
    await recall.catchUp();
    for (const question of conversation.questions)
      scores.push(await scoreOne(recall, question, { ...options, heldOut: index >= TUNED_ON }));
  }
  return scores;
}

async function scoreOne(
  recall: Recall,
  { text, category, evidence }: Question,
  { heldOut, ...options }: SearchOptions & { heldOut: boolean },
): Promise<Score> {
  const hits = await recall.search(text, { ...options, limit: CUTS.at(-1)! });
  const places = [...evidence].map((id) => {
    const entry = deriveEntryId('locomo', id);
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
  for (const category of ['single-hop', 'multi-hop', 'temporal', 'open-domain'] as const) {
    const value = summary(scores.filter((score) => score.category === category)).text;
    rows.push({ work: `${name}: ${category}`, value, target: '' });
  }
  return rows;
}

export function summary(scores: readonly Score[]): { text: string; found: readonly number[]; mrr: number } {
  const mean = (pick: (score: Score) => number) =>
    (100 * scores.reduce((sum, score) => sum + pick(score), 0)) / scores.length;
  const found = CUTS.map((_, index) => mean((score) => score.found[index]!));
  const mrr = mean(({ reciprocal }) => reciprocal);
  const text = `${CUTS.map((cut, index) => `R@${cut} ${found[index]!.toFixed(1)}`).join(', ')}, MRR ${mrr.toFixed(1)} (${scores.length} questions)`;
  return { text, found, mrr };
}
