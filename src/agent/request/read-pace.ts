import { type Load, type Money, type Pace, USUAL_PACE } from '../../compaction/index.ts';
import type { ChosenModel } from '../../models/index.ts';
import type { Entry, Message, Usage } from '../../record/index.ts';
import { cacheLifetimeMs, type ModelPrice, priceOf } from '../../tokens/index.ts';
import type { CompactionChoice } from '../turn-options.ts';
import { answerNotes } from './note-request.ts';

type Answered = Entry & { readonly body: Message & { readonly usage: Usage } };

/** So many answers have to follow one another before a session is judged by its own pace. */
const LEAST_PAIRS = 2;

/** How a session goes, by what the answers of a model among its newest messages report. Newest first. */
export function readPace(newest: readonly Entry[], model: string): Pace {
  const answers = newest.filter((entry): entry is Answered => isAnswerOf(entry, model)).toReversed();
  const pairs = answers.slice(1).flatMap((answer, index) => {
    const before = answers[index]!;
    const grown = answer.body.usage.inputTokens - before.body.usage.inputTokens;
    const { cause = 'expired' } = answerNotes(answer).cacheBreak ?? {};
    return grown > 0 && cause === 'expired' ? [{ before, answer, grown }] : [];
  });
  const newestAnswer = answers.at(-1);
  const answeredAt = newestAnswer?.at;
  const { keptMs } = newestAnswer ? answerNotes(newestAnswer) : {};
  const isLate = ({ before, answer }: { before: Answered; answer: Answered }) =>
    answer.at - before.at > (keptMs ?? keptFor(model)) * IN_TIME;
  const at = { ...(answeredAt !== undefined && { answeredAt }), ...(keptMs !== undefined && { keptMs }) };
  if (pairs.length < LEAST_PAIRS) return { ...USUAL_PACE, ...at };
  const questions = newest.filter(({ body }) => body.kind === 'message' && body.role === 'user').length;
  const shares = pairs.flatMap(({ before, answer }) => {
    const read = answer.body.usage.cacheReadTokens;
    if (read === undefined || isLate({ before, answer })) return [];
    return [Math.min(1, read / before.body.usage.inputTokens)];
  });
  return {
    steps: Math.max(1, Math.round(answers.length / Math.max(1, questions))),
    growth: Math.round(mean(pairs.map(({ grown }) => grown))),
    output: Math.round(mean(answers.map(({ body }) => body.usage.outputTokens))),
    cached: shares.length > 0 ? mean(shares) : 1,
    away: (pairs.filter(isLate).length + USUAL_PACE.away * SUPPOSED) / (pairs.length + SUPPOSED),
    ...at,
  };
}

/** A cache that had expired says nothing of how the next request is read. */
const IN_TIME = 0.8;
/** So many answers count as much as what is usual: a person who was away once in ten of them is not away a tenth of the time. */
const SUPPOSED = 10;

/** By its name, as answers have it. */
function keptFor(id: string): number {
  const [provider = '', ...model] = id.split(':');
  return cacheLifetimeMs({ provider, model: model.join(':') });
}

function isAnswerOf({ body }: Entry, model: string): boolean {
  return body.kind === 'message' && body.model === model && (body.usage?.inputTokens ?? 0) > 0;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

/** How full a context is, with what its requests cost where the price of the model and the pace are known. */
export function withMoney(
  load: Load,
  chosen: Pick<ChosenModel, 'provider' | 'model' | 'price'>,
  { choice, now = Date.now() }: { choice?: false | CompactionChoice | undefined; now?: number } = {},
): Load {
  const { pace } = load;
  const { price } = chosen;
  if (!price || !pace) return load;
  const since = pace.answeredAt === undefined ? Number.POSITIVE_INFINITY : now - pace.answeredAt;
  const cold = since > (pace.keptMs ?? cacheLifetimeMs(chosen));
  const money: Money = { price, pace, cold, writer: writerOf(choice) };
  return { ...load, money };
}

/** Another model writes at its own price; where that is not known, as the one that answers. */
function writerOf(choice: false | CompactionChoice | undefined): 'digest' | 'chat' | ModelPrice {
  const summariser = choice ? choice.summariser : undefined;
  if (summariser === 'digest') return 'digest';
  return (typeof summariser === 'string' && priceOf(summariser)) || 'chat';
}
