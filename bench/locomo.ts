import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { porterStem } from './porter-stem.ts';

/** One thing that one of two people said in a long conversation, as a document of its own. */
export interface Turn {
  readonly id: string;
  readonly speaker: string;
  readonly text: string;
  /** Milliseconds since 1970; a minute after the turn before. */
  readonly at: number;
  /** Content words, stemmed. */
  readonly words: readonly string[];
}

export interface Question {
  readonly text: string;
  readonly category: Category;
  readonly answer: readonly string[];
  /** When something was: the answer is a date that nobody said, so only its evidence is scored. */
  readonly temporal: boolean;
  /** Indexes of the turns that hold the answer. */
  readonly evidence: readonly number[];
}

export interface Conversation {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
  readonly references: { readonly total: number; readonly unresolved: number };
}

export const CATEGORIES = ['multi-hop', 'temporal', 'open-domain', 'single-hop'] as const;
export type Category = (typeof CATEGORIES)[number];

const FILE = path.join(import.meta.dirname, '../../shared/data/memory-bench/locomo10.json');
const ADVERSARIAL = 5;

/**
 * The LoCoMo conversations, if the file lies beside the project. Adversarial questions are left out, as are evidence
 * references that name no turn, and questions that are left with none.
 */
export function loadLocomo(): Conversation[] | undefined {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')).map(toConversation) : undefined;
}

interface Sample {
  readonly conversation: Readonly<Record<string, unknown>>;
  readonly qa: readonly {
    question: string;
    answer?: unknown;
    category: number;
    evidence?: readonly unknown[];
  }[];
}

export function toConversation({ conversation, qa }: Sample): Conversation {
  const turns: Turn[] = [];
  for (let session = 1; hasSession(conversation, session); session++) {
    const said = (conversation[`session_${session}`] ?? []) as Record<string, string>[];
    const start = timeOf(String(conversation[`session_${session}_date_time`] ?? ''));
    for (const [index, { dia_id = '', speaker = '', text = '', blip_caption }] of said.entries()) {
      const whole = text + (blip_caption ? ` [image: ${blip_caption}]` : '');
      const at = start + index * 60_000;
      turns.push({ id: dia_id, speaker, text: whole, at, words: contentWords(whole) });
    }
  }
  const places = new Map(turns.map(({ id }, index) => [id, index]));
  const references = { total: 0, unresolved: 0 };
  const questions = qa
    .filter(({ category }) => category !== ADVERSARIAL)
    .flatMap(({ question: text, answer, category: number, evidence = [] }) => {
      const found = new Set<number>();
      const named = evidence.flatMap((text) => {
        const parts = [...String(text).matchAll(REFERENCE)];
        if (parts.length === 0) {
          references.total++;
          references.unresolved++;
        }
        return parts;
      });
      for (const [, session, turn] of named) {
        const place = places.get(`D${Number(session)}:${Number(turn)}`);
        references.total++;
        if (place === undefined) references.unresolved++;
        else found.add(place);
      }
      const words = [...new Set(contentWords(String(answer)))];
      const category = CATEGORIES[number - 1]!;
      const question = { text, category, answer: words, temporal: category === 'temporal' };
      return found.size === 0 ? [] : [{ ...question, evidence: [...found] }];
    });
  return { turns, questions, references };
}

/** "1:56 pm on 8 May, 2023". */
function timeOf(text: string): number {
  const match = /(\d+):(\d+) (am|pm) on (\d+) (\w+), (\d+)/.exec(text);
  if (!match) return 0;
  const [, hour, minute, half, day, month, year] = match;
  const hours = (Number(hour) % 12) + (half === 'pm' ? 12 : 0);
  return Date.parse(`${day} ${month} ${year} 00:00:00 UTC`) + (hours * 60 + Number(minute)) * 60_000;
}

/** References are written in several ways: "D8:6; D9:17", "D:11:26", "D30:05". */
const REFERENCE = /D:?\s*(\d+)\s*:\s*(\d+)/g;

function hasSession(conversation: Readonly<Record<string, unknown>>, session: number): boolean {
  return (
    conversation[`session_${session}`] !== undefined || Boolean(conversation[`session_${session}_date_time`])
  );
}

/** What is left of a turn in a text made of the conversation: `turns` are those that the words were taken from. */
export interface Kept {
  readonly text: string;
  readonly turns: readonly number[];
}

/** Percent of the evidence that survives, and of the answers' words that can still be read, over all questions. */
export function scoreKept(
  conversation: Conversation,
  kept: readonly Kept[],
): { evidence: number; answer: number } {
  const scoreOf = createScorer(conversation, kept);
  const scores = conversation.questions.map(scoreOf);
  return {
    evidence: 100 * mean(scores.map(({ evidence }) => evidence)),
    answer: 100 * mean(scores.flatMap(({ answer }) => answer ?? [])),
  };
}

export interface QuestionScore {
  /** Share of the evidence that survives. */
  readonly evidence: number;
  /** Share of the answer's content words that can be read anywhere; absent for temporal questions. */
  readonly answer?: number;
}

/** A turn survives when at least half of its content words stand in text that was taken from it. */
export function createScorer(
  { turns }: Conversation,
  kept: readonly Kept[],
): (question: Question) => QuestionScore {
  const byTurn = new Map<number, Set<string>>();
  const all = new Set<string>();
  for (const { text, turns: from } of kept) {
    for (const word of contentWords(text)) {
      all.add(word);
      for (const turn of from) byTurn.set(turn, (byTurn.get(turn) ?? new Set()).add(word));
    }
  }
  const survives = (index: number) => {
    const wanted = new Set(turns[index]!.words);
    const had = byTurn.get(index);
    if (wanted.size === 0) return had !== undefined;
    return [...wanted].filter((word) => had?.has(word)).length / wanted.size >= 0.5;
  };
  const read = (words: readonly string[]) =>
    words.length === 0 ? 1 : words.filter((word) => all.has(word)).length / words.length;
  return ({ evidence, answer, temporal }) => ({
    evidence: evidence.filter(survives).length / evidence.length,
    ...(!temporal && { answer: read(answer) }),
  });
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

const stems = new Map<string, string>();

export function contentWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .normalize('NFKD')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .map((word) => {
      const stem = stems.get(word) ?? porterStem(word);
      stems.set(word, stem);
      return stem;
    });
}

const STOP_WORDS = new Set(
  `a about above after again against all am an and any are aren as at be because been before being below between both but by
  can cannot could couldn did didn do does doesn doing don down during each few for from further had hadn has hasn have haven
  having he her here hers herself him himself his how i if in into is isn it its itself just ll let me more most mustn my
  myself no nor not now of off on once only or other our ours ourselves out over own re s same shan she should shouldn so
  some such t than that the their theirs them themselves then there these they this those through to too under until up ve
  very was wasn we were weren what when where which while who whom why will with won would wouldn you your yours yourself
  yourselves d m`.split(/\s+/),
);
