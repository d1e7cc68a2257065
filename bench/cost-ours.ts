import { breakpointsIn } from '../src/agent/answer/ask-model.ts';
import { readPace, withMoney } from '../src/agent/request/read-pace.ts';
import { createAutoCompaction, digestEntries, type Load, type Summariser } from '../src/compaction/index.ts';
import { type BuiltContext, buildContext } from '../src/context/index.ts';
import { createMemoryStore, createSession, type Entry, type Session } from '../src/index.ts';
import type { CompactionSettings } from '../src/record/index.ts';
import { readConversation } from '../src/session/index.ts';
import { renderSummary } from '../src/summary/index.ts';
import { countPart, countText, keepsAtMarks, modelPrice } from '../src/tokens/index.ts';
import { type Asked, type Bill, type Block, charge, createBill, type Provider } from './cost-caches.ts';
import { type Clock, createClock } from './cost-clock.ts';
import { prose, type Script } from './cost-script.ts';

export const HEAD_TOKENS = 6_000;
const HEAD = [{ part: 'system', text: prose(1, HEAD_TOKENS) }];
const QUESTION_TOKENS = 700;
const AROUND_TOKENS = 1_200;
const NEWEST = 24;

export type WriterName = 'digest' | 'chat' | 'cheaper';

export interface Told extends Bill {
  /** Share of the planted facts that the last request holds. */
  readonly facts: number;
  /** Tokens of its longest request. */
  readonly longest: number;
}

/** The product's compaction over a session, request by request; the product builds every request. */
export async function runOurs(
  { messages, facts }: Script,
  provider: Provider,
  {
    window,
    settings,
    writer,
  }: { readonly window: number; readonly settings: CompactionSettings; readonly writer: WriterName },
): Promise<Told> {
  const session = await createSession(createMemoryStore());
  const bill = createBill();
  const cache = provider.createCache();
  const clock = createClock();
  const model = `${provider.provider}:${provider.model}`;
  const newest: Entry[] = [];
  let longest = 0;
  const append = async (...bodies: Parameters<Session['append']>[0]) => {
    newest.unshift(...(await session.append(bodies)).toReversed());
    newest.length = Math.min(newest.length, NEWEST);
  };
  let built: { readonly head: number; readonly context: BuiltContext; readonly blocks: Block[] } | undefined;
  const build = async () => {
    const { head } = session.info;
    if (built?.head === head) return built;
    const conversation = await readConversation(session.store, session.info);
    const context = buildContext({ head: HEAD, ...conversation }, { window, outputLimit: 8_000 });
    built = { head, context, blocks: blocksOf(context) };
    return built;
  };
  const measure = async (): Promise<Load> => {
    const { context } = await build();
    const pace = readPace(newest, model);
    const fixed = context.parts.find(({ part }) => part === 'system')?.tokens ?? 0;
    const load: Load = {
      tokens: context.tokens,
      room: context.window - context.reserve,
      messages: session.info.totals.messages,
      lines: session.info.head,
      fixed,
      scale: 1,
      pace,
    };
    const choice =
      writer === 'digest'
        ? { summariser: 'digest' }
        : writer === 'cheaper'
          ? { summariser: `${provider.provider}:${provider.cheaper}` }
          : {};
    return withMoney(load, provider, { choice, now: (pace.answeredAt ?? 0) + clock.idle });
  };
  const summariser: Summariser | undefined =
    writer === 'digest' ? undefined : writerOf(writer, { provider, bill, cache, clock, build });
  const auto = createAutoCompaction(session, { settings, measure, ...(summariser && { summariser }) });
  const consider = async () => {
    const { did } = await auto.consider();
    if (did === 'compact') bill.compactions++;
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user' && index > 0) {
      await consider();
      clock.pause();
    }
    if (message.role !== 'assistant') {
      await append(message);
      continue;
    }
    await consider();
    const { context, blocks } = await build();
    const output = message.parts.reduce((sum, part) => sum + countPart(part), 0);
    const usage = cache.take({ blocks, marks: marksOf(context, provider), output, at: clock.step() });
    longest = Math.max(longest, usage.inputTokens);
    charge(bill, usage, provider.price);
    await append({ ...message, model, usage });
  }
  const { context } = await build();
  const text = JSON.stringify(context.messages);
  const kept = facts.filter(({ value }) => text.includes(value)).length;
  return { ...bill, longest, facts: facts.length === 0 ? 1 : kept / facts.length };
}

function writerOf(
  writer: Exclude<WriterName, 'digest'>,
  {
    provider,
    bill,
    cache,
    clock,
    build,
  }: {
    provider: Provider;
    bill: Bill;
    cache: { take(asked: Asked): ReturnType<ReturnType<Provider['createCache']>['take']> };
    clock: Clock;
    build: () => Promise<{ context: BuiltContext; blocks: readonly Block[] }>;
  },
): Summariser {
  return {
    name: writer,
    async summarise({ entries, maxTokens }) {
      // Stands for what a model writes: as long, and about the same.
      const summary = digestEntries(entries, { maxTokens });
      const outputTokens = countText(renderSummary(summary));
      const range = entries.reduce((sum, { tokens }) => sum + tokens, 0);
      const own = { inputTokens: range + AROUND_TOKENS, outputTokens };
      if (writer === 'cheaper') {
        charge(bill, own, modelPrice(provider.cheaper)!, true);
      } else {
        const { context, blocks } = await build();
        const question = { prefix: `question ${bill.dollars}`, tokens: QUESTION_TOKENS };
        const asked = { marks: marksOf(context, provider), output: outputTokens, at: clock.now };
        const { input, cacheRead = input } = provider.price;
        const isDearer = clock.isLong || context.tokens * cacheRead > range * input;
        const usage = isDearer ? own : cache.take({ ...asked, blocks: [...blocks, question] });
        charge(bill, usage, provider.price, true);
      }
      return { summary, by: { kind: 'model', model: writer } };
    },
  };
}

const counted = new Map<string, number>();

function blocksOf({ prefix, messages }: BuiltContext): Block[] {
  return prefix.map((hash, index) => {
    const known = counted.get(hash);
    const content =
      index === 0 ? [] : (messages[index - 1]!.content as unknown as Parameters<typeof countPart>[0][]);
    const tokens =
      known ?? (index === 0 ? HEAD_TOKENS : content.reduce((sum, part) => sum + countPart(part), 4));
    counted.set(hash, tokens);
    return { prefix: hash, tokens };
  });
}

/** As calls are marked: at the end, before the question, behind what was added lately, behind the summaries, and the head. */
function marksOf({ messages, seams }: BuiltContext, provider: Provider): number[] {
  if (provider.provider === 'openai' && keepsAtMarks(provider.model))
    return [1, ...[...breakpointsIn(messages, seams)].map((at) => at + 2), messages.length + 1];
  const { records, turn, before = 0 } = seams;
  const ends = new Set([messages.length, turn, before, records].filter((end) => end > 0).slice(0, 4));
  const marks = [...ends].map((end) => end + 1);
  return [...(ends.size < 4 ? [1] : []), ...marks].sort((a, b) => a - b);
}
