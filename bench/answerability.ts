import { countTokens } from 'gpt-tokenizer';
import type { Recalled } from '../src/context/index.ts';
import {
  type Budget,
  type BuiltContext,
  compactSession,
  countText,
  createMemoryStore,
  type Entry,
  openSession,
  PRESETS,
  readFrontier,
  renderSummary,
  type SessionInfo,
  type Store,
} from '../src/index.ts';
import { openRecall, recollect } from '../src/search/index.ts';
import { assistant, user } from '../src/testing/index.ts';
import { contextOf } from '../test/support/context-of.ts';
import { digestWithin, keptIn, toEntries, tokensOf } from './digest.ts';
import { BASELINES } from './digest-baselines.ts';
import {
  CATEGORIES,
  type Conversation,
  createScorer,
  type Kept,
  loadLocomo,
  mean,
  type Question,
  type QuestionScore,
} from './locomo.ts';
import type { Row } from './measure.ts';

/** Of the tokens of the conversation. */
const SHARE = 0.1;
/** Of the budget, for the summary; the newest messages stand beside it, and recall has what is left. */
const SUMMARY_SHARE = 0.2;
/** A summary may grow by this for names and figures that it would lack. */
const WITH_HARD_ITEMS = 1.15;
const RECENT = 10;
/** The first ones were looked at while the rules were made. */
const TUNED_ON = 3;
const RESERVE = 1000;

interface Scored extends QuestionScore {
  readonly question: Question;
  readonly heldOut: boolean;
  /** Of the conversation's tokens, as o200k counts them. */
  readonly share: number;
}

/**
 * Whether a question can still be answered from a context of a tenth of the conversation, made in different ways. What
 * comes from a real request is scored twice: as it is sent, with all labels, and by its texts alone with three tokens for
 * who said each, which is how the simple ways are counted and the targets were set.
 */
export async function benchAnswerability(): Promise<Row[]> {
  const conversations = loadLocomo();
  if (!conversations) {
    return [{ work: 'answerability on LoCoMo', value: 'the data is not beside the project', target: '' }];
  }
  const rows = [
    ...report('recent turns only', scoreFixed(conversations, baseline('last turns'))),
    ...report('head + tail', scoreFixed(conversations, baseline('head + tail'))),
    ...report('summary only', scoreFixed(conversations, summaryOnly)),
  ];
  for (const { by, name, least } of [
    { by: 'words', name: 'summary + recent + recall by words', least: { evidence: 86, answer: 87 } },
    { by: 'both', name: 'summary + recent + recall', least: { evidence: 89.3, answer: 88.4 } },
  ] as const) {
    const { texts, sent } = await scoreRecall(conversations, by);
    rows.push(...report(`${name}, texts`, texts, least), ...report(`${name}, as sent`, sent));
  }
  return rows;
}

interface Filled {
  readonly kept: readonly Kept[];
  readonly tokens: number;
}

function baseline(name: string) {
  return (conversation: Conversation, budget: number): Filled => {
    const kept = BASELINES[name]!(conversation, budget, countTokens);
    return { kept, tokens: kept.reduce((sum, { text }) => sum + costOf(text), 0) };
  };
}

function summaryOnly(conversation: Conversation, budget: number): Filled {
  const entries = toEntries(conversation);
  const summary = digestWithin(entries, budget);
  return { kept: keptIn(summary, entries), tokens: countTokens(renderSummary(summary)) };
}

/** A text, and who said it. */
function costOf(text: string): number {
  return countTokens(text) + 3;
}

function costOfKept({ text }: Kept): number {
  return costOf(text);
}

function scoreFixed(
  conversations: readonly Conversation[],
  fill: (conversation: Conversation, budget: number) => Filled,
): Scored[] {
  return conversations.flatMap((conversation, index) => {
    const filled = fill(conversation, tokensOf(conversation) * SHARE);
    return conversation.questions.map((question) => scored(question, filled, { conversation, index }));
  });
}

function scored(
  question: Question,
  { kept, tokens }: Filled,
  { conversation, index }: { conversation: Conversation; index: number },
): Scored {
  const score = createScorer(conversation, kept)(question);
  return { ...score, question, heldOut: index >= TUNED_ON, share: tokens / tokensOf(conversation) };
}

/** Through the real session, compaction, index and context. */
async function scoreRecall(
  conversations: readonly Conversation[],
  by: 'words' | 'both',
): Promise<{ texts: Scored[]; sent: Scored[] }> {
  const scores = { texts: [] as Scored[], sent: [] as Scored[] };
  for (const [index, conversation] of conversations.entries()) {
    await using store = createMemoryStore();
    const budget = tokensOf(conversation) * SHARE;
    const info = await compactedSession(store, conversation, budget);
    const frontier = await readFrontier(store, info);
    const entries = await store.read(info.id, { only: 'messages' });
    const recent = recentIn(frontier, conversation);
    const recorded = frontier.flatMap(({ body }) => (body.kind === 'compaction' ? [body.summary] : []));
    const fixed = [...recorded.flatMap((summary) => keptIn(summary, entries)), ...recent];
    const left = [
      ...recorded.map((summary) => countTokens(renderSummary(summary))),
      ...recent.map(costOfKept),
    ].reduce((rest, tokens) => rest - tokens, budget);
    await using recall = await openRecall(store, { ...(by === 'words' && { embedder: 'none' }) });
    for (const question of conversation.questions) {
      const recalled = await recollect(store, recall, info, {
        question: question.text,
        maxTokens: 3 * budget,
      });
      const taken = take(recalled, left);
      const built = await contextOf(store, info, {
        question: question.text,
        recall: recalled,
        budget: budgetFor(question, budget, conversation),
      });
      if (built.steps.length > 0)
        throw new Error(`bug: summary and newest messages do not fit: ${built.steps}`);
      const texts = { kept: [...fixed, ...taken.kept], tokens: budget - left + taken.tokens };
      const sent = { kept: [...fixed, ...recalledIn(built)], tokens: sizeOf(built) };
      scores.texts.push(scored(question, texts, { conversation, index }));
      scores.sent.push(scored(question, sent, { conversation, index }));
    }
  }
  return scores;
}

function take(recalled: readonly Recalled[], budget: number): Filled {
  const kept: Kept[] = [];
  let tokens = 0;
  for (const { seq, text } of recalled) {
    if (tokens + costOf(text) > budget) continue;
    tokens += costOf(text);
    kept.push({ text, turns: [seq - 1] });
  }
  return { kept, tokens };
}

async function compactedSession(store: Store, { turns }: Conversation, budget: number): Promise<SessionInfo> {
  const entries = turns.map(({ text, speaker, at }) => ({
    at,
    body: (speaker === turns[0]!.speaker ? user : assistant)(text, { meta: { speaker } }),
  }));
  await store.create({ id: 'talk', createdAt: turns[0]!.at }, entries);
  await using session = await openSession(store, 'talk');
  await compactSession(session, {
    settings: { ...PRESETS.window, keep: { messages: RECENT } },
    summaryTokens: Math.floor((budget * SUMMARY_SHARE) / WITH_HARD_ITEMS),
  });
  return session.refresh();
}

/** The question itself is not part of the budget, nor is the answer. Counted as o200k does. */
function budgetFor(question: Question, budget: number, { turns }: Conversation): Budget {
  const all = turns.map(({ text }) => text).join('\n');
  const ratio = countTokens(all) / countText(all);
  const window = Math.floor(budget + costOf(question.text)) + RESERVE;
  return { window, reserve: RESERVE, recallTokens: window, correct: (tokens) => tokens * ratio };
}

/** Of everything but the question. */
function sizeOf({ messages }: BuiltContext): number {
  return messages.slice(0, -1).reduce((sum, message) => sum + costOf(textOf(message)), 0);
}

function recentIn(frontier: readonly Entry[], { turns }: Conversation): Kept[] {
  return frontier.flatMap(({ seq, body }) =>
    body.kind === 'message' ? [{ text: turns[seq - 1]!.text, turns: [seq - 1] }] : [],
  );
}

/** Read from the very text that the model is sent: a line without a number is the entry after the one above it. */
function recalledIn({ messages }: BuiltContext): Kept[] {
  const block = messages.map(textOf).find((text) => text.startsWith('[Found in earlier')) ?? '';
  let last = 0;
  return [...block.matchAll(/^(?:#(\d+) )?(?:user|assistant)[^:\n]*: (.*(?:\n {2}.*)*)/gm)].map(
    ([, seq, text]) => {
      last = seq === undefined ? last + 1 : Number(seq);
      return { text: text!, turns: [last - 1] };
    },
  );
}

function textOf({ content }: BuiltContext['messages'][number]): string {
  return (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
}

function report(
  name: string,
  scores: readonly Scored[],
  least?: { evidence: number; answer: number },
): Row[] {
  const all = measure(scores);
  const share = (100 * mean(scores.map((score) => score.share))).toFixed(1);
  const lines = CATEGORIES.map((category) => {
    const own = measure(scores.filter(({ question }) => question.category === category));
    return { work: `… ${category}`, value: say(own), target: '' };
  });
  return [
    {
      work: `${name}: evidence / answer words (the seven not tuned on); budget used`,
      value: `${say(all)} (${say(measure(scores.filter(({ heldOut }) => heldOut)))}); ${share} %`,
      target: least ? `≥ ${least.evidence} / ≥ ${least.answer}` : '',
      ...(least && {
        met: all.evidence >= least.evidence && all.answer! >= least.answer,
      }),
    },
    ...lines,
  ];
}

function measure(scores: readonly QuestionScore[]): { evidence: number; answer: number | undefined } {
  const answers = scores.flatMap(({ answer }) => answer ?? []);
  return {
    evidence: 100 * mean(scores.map(({ evidence }) => evidence)),
    answer: answers.length === 0 ? undefined : 100 * mean(answers),
  };
}

function say({ evidence, answer }: { evidence: number; answer: number | undefined }): string {
  return `${evidence.toFixed(1)} / ${answer === undefined ? '–' : answer.toFixed(1)}`;
}
