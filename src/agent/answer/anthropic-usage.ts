import { z } from 'zod';
import type { OpenedModel } from '../../models/index.ts';
import { addUsage as add, type Usage } from '../../record/index.ts';
import { costOf, LONG_CACHE, pricesAt } from '../../tokens/index.ts';

/** What a provider did to the request before it answered: it summarised it, or left old tool outputs out. */
export interface NativeUse {
  /** Of the summary that it wrote for itself. */
  readonly summary?: Usage;
  /** Tokens of the request by its count, as it was sent; 0 if it answered another one. Absent: as in the usage. */
  readonly counted?: number;
  /** How long it keeps what it read, where that is not its usual time. */
  readonly keptMs?: number;
}

export interface SplitUsage {
  readonly usage?: Usage | undefined;
  readonly native: NativeUse;
}

const count = z.number().min(0).catch(0);
const Iteration = z.object({
  type: z.string(),
  inputTokens: count.optional(),
  outputTokens: count.optional(),
  cacheCreationInputTokens: count.optional(),
  cacheReadInputTokens: count.optional(),
});
const Metadata = z.object({
  anthropic: z.object({
    usage: z
      .object({ cache_creation: z.object({ ephemeral_1h_input_tokens: count.optional() }).nullish() })
      .nullish()
      .catch(undefined),
    iterations: z.array(Iteration).nullish().catch(undefined),
    contextManagement: z
      .object({ appliedEdits: z.array(z.object({ clearedInputTokens: count.optional() })) })
      .nullish()
      .catch(undefined),
  }),
});

/**
 * Anthropic reports the sum of all that it read for a call: the request, and after a summary the rest of it. The summary is a
 * separate call in the ledger, and the size of a request is learnt only from a call that read this very request.
 */
export function splitUsage(
  usage: Usage | undefined,
  metadata: unknown,
  price: OpenedModel['price'],
): SplitUsage {
  const { anthropic } = Metadata.safeParse(metadata).data ?? {};
  if (!usage || !anthropic) return { ...(usage && { usage }), native: {} };
  const long = anthropic.usage?.cache_creation?.ephemeral_1h_input_tokens ?? 0;
  const split = splitCalls(usage, anthropic, price);
  return long === 0 ? split : withLongWrites(split, { long, price });
}

/** A cache write for an hour costs more than one for minutes. */
function withLongWrites(
  { usage, native }: SplitUsage,
  { long, price }: { long: number; price: OpenedModel['price'] },
): SplitUsage {
  const prices = price && pricesAt(price, usage?.inputTokens ?? 0);
  const more = prices
    ? (long * (LONG_CACHE.write * prices.input - (prices.cacheWrite ?? prices.input))) / 1_000_000
    : 0;
  return {
    usage: usage?.cost === undefined ? usage : { ...usage, cost: usage.cost + more },
    native: { ...native, keptMs: LONG_CACHE.lifetimeMs },
  };
}

function splitCalls(
  usage: Usage,
  anthropic: z.output<typeof Metadata>['anthropic'],
  price: OpenedModel['price'],
): SplitUsage {
  const iterations = anthropic.iterations ?? [];
  const summaries = iterations.filter(({ type }) => type === 'compaction').map(usageOf);
  const cleared = (anthropic.contextManagement?.appliedEdits ?? []).reduce(
    (sum, { clearedInputTokens = 0 }) => sum + clearedInputTokens,
    0,
  );
  const messages = iterations.filter(({ type }) => type === 'message').map(usageOf);
  if (summaries.length === 0) {
    const read = (messages.length > 1 ? messages.at(-1)! : usage).inputTokens;
    const same = read === usage.inputTokens && cleared === 0;
    return { usage, native: same ? {} : { counted: read + cleared } };
  }
  const { reasoningTokens, cacheReadTokens: read, cacheWriteTokens: written } = usage;
  const answer = messages.reduce(add, { inputTokens: 0, outputTokens: 0 });
  // Caches that no iteration has are of the answer.
  const cached = [...messages, ...summaries].some(isCached)
    ? {}
    : { ...(read && { cacheReadTokens: read }), ...(written && { cacheWriteTokens: written }) };
  const rest = {
    ...answer,
    inputTokens: answer.inputTokens + (cached.cacheReadTokens ?? 0) + (cached.cacheWriteTokens ?? 0),
    ...cached,
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
  return {
    ...(messages.length > 0 && { usage: priced(rest, price) }),
    native: { summary: priced(summaries.reduce(add), price), counted: 0 },
  };
}

function isCached({ cacheReadTokens, cacheWriteTokens }: Usage): boolean {
  return cacheReadTokens !== undefined || cacheWriteTokens !== undefined;
}

function usageOf(iteration: z.output<typeof Iteration>): Usage {
  const { inputTokens = 0, outputTokens = 0 } = iteration;
  const { cacheReadInputTokens = 0, cacheCreationInputTokens = 0 } = iteration;
  return {
    inputTokens: inputTokens + cacheReadInputTokens + cacheCreationInputTokens,
    outputTokens,
    ...(cacheReadInputTokens > 0 && { cacheReadTokens: cacheReadInputTokens }),
    ...(cacheCreationInputTokens > 0 && { cacheWriteTokens: cacheCreationInputTokens }),
  };
}

function priced({ cost: _, ...usage }: Usage, price: OpenedModel['price']): Usage {
  return price ? { ...usage, cost: costOf(usage, price) } : usage;
}
