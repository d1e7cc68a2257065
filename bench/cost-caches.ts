import type { Usage } from '../src/record/index.ts';
import { costOf, type ModelPrice, modelPrice } from '../src/tokens/index.ts';

/** A piece of a request as a provider's cache sees it. */
export interface Block {
  /** Of it and of everything before it. */
  readonly prefix: string;
  readonly tokens: number;
}

export interface Asked {
  readonly blocks: readonly Block[];
  /** How many blocks stand before each mark; caches that need none do not look. */
  readonly marks: readonly number[];
  readonly output: number;
  /** Milliseconds. */
  readonly at: number;
}

export interface Provider {
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly cheaper: string;
  readonly price: ModelPrice;
  createCache(): Cache;
}

export interface Cache {
  take(asked: Asked): Usage;
}

const MINUTE_MS = 60_000;

/** Written at marks, four at most; read at the longest of them or so many blocks before one. */
function markedCache({ least, ttlMs, back = 20 }: { least: number; ttlMs: number; back?: number }): Cache {
  const usedAt = new Map<string, number>();
  return {
    take({ blocks, marks, output, at }) {
      const upTo = sumsOf(blocks);
      const ends = [...new Set(marks)]
        .filter((end) => end > 0)
        .toSorted((a, b) => a - b)
        .slice(-4);
      const isKept = (index: number) =>
        at - (usedAt.get(blocks[index]!.prefix) ?? Number.NEGATIVE_INFINITY) <= ttlMs;
      const found = ends.map((end) => {
        for (let index = end - 1; index >= 0 && index > end - back - 1; index--)
          if (isKept(index)) return index;
        return -1;
      });
      const read = Math.max(-1, ...found);
      const written = ends.map((end) => end - 1).filter((index) => upTo[index]! >= least);
      for (const index of [...found.filter((one) => one >= 0), ...written])
        usedAt.set(blocks[index]!.prefix, at);
      const readTokens = read < 0 ? 0 : upTo[read]!;
      const writtenTokens = Math.max(0, (upTo[Math.max(-1, ...written)] ?? 0) - readTokens);
      return usageOf(upTo, { readTokens, writtenTokens, output });
    },
  };
}

/** A cache that the provider keeps without marks, in whole steps of tokens from the beginning on. */
function automaticCache({ least, step, ttlMs }: { least: number; step: number; ttlMs: number }): Cache {
  const usedAt = new Map<string, number>();
  return {
    take({ blocks, output, at }) {
      const upTo = sumsOf(blocks);
      const isKept = ({ prefix }: Block) => at - (usedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) <= ttlMs;
      const end = blocks.findIndex((block) => !isKept(block));
      const shared = end < 0 ? upTo.at(-1)! : end === 0 ? 0 : upTo[end - 1]!;
      for (const { prefix } of blocks) usedAt.set(prefix, at);
      const readTokens = shared < least ? 0 : Math.floor(shared / step) * step;
      return usageOf(upTo, { readTokens, writtenTokens: (upTo.at(-1) ?? 0) - readTokens, output });
    },
  };
}

function sumsOf(blocks: readonly Block[]): number[] {
  let sum = 0;
  return blocks.map(({ tokens }) => {
    sum += tokens;
    return sum;
  });
}

function usageOf(
  upTo: readonly number[],
  { readTokens, writtenTokens, output }: { readTokens: number; writtenTokens: number; output: number },
): Usage {
  return {
    inputTokens: upTo.at(-1) ?? 0,
    outputTokens: output,
    cacheReadTokens: readTokens,
    cacheWriteTokens: writtenTokens,
  };
}

function provider(fields: Omit<Provider, 'price'>): Provider {
  const price = modelPrice(fields.model);
  if (!price) throw new Error(`no price of ${fields.model}`);
  return { ...fields, price };
}

/** Three kinds of rules, with the prices of the catalogue. */
export const PROVIDERS: readonly Provider[] = [
  provider({
    name: 'Anthropic',
    provider: 'anthropic',
    model: 'claude-sonnet-5',
    cheaper: 'claude-haiku-5.5',
    createCache: () => markedCache({ least: 1_024, ttlMs: 5 * MINUTE_MS }),
  }),
  provider({
    name: 'OpenAI',
    provider: 'openai',
    model: 'gpt-6.1-sol',
    cheaper: 'gpt-6-luna',
    // Its own mark is at the end of each request; those of earlier requests are looked for, as far back as 80 of them.
    createCache: () => markedCache({ least: 1_024, ttlMs: 30 * MINUTE_MS, back: 160 }),
  }),
  provider({
    name: 'Google',
    provider: 'google',
    model: 'gemini-3.8-flash',
    cheaper: 'gemini-3.5-flash-lite',
    createCache: () => automaticCache({ least: 4_096, step: 1, ttlMs: 5 * MINUTE_MS }),
  }),
];

/** What a session paid, and how much of what it sent was read from a cache. */
export interface Bill {
  dollars: number;
  sent: number;
  read: number;
  /** The same since the first compaction, without summaries. */
  after: { sent: number; read: number };
  compactions: number;
}

export function createBill(): Bill {
  return { dollars: 0, sent: 0, read: 0, after: { sent: 0, read: 0 }, compactions: 0 };
}

export function charge(bill: Bill, usage: Usage, price: ModelPrice, isSummary = false): void {
  const { inputTokens, cacheReadTokens = 0 } = usage;
  bill.dollars += costOf(usage, price);
  bill.sent += inputTokens;
  bill.read += cacheReadTokens;
  if (bill.compactions === 0 || isSummary) return;
  bill.after.sent += inputTokens;
  bill.after.read += cacheReadTokens;
}
