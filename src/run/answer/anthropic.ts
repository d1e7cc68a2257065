import type { ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import { z } from 'zod';
import type { BuiltContext } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import { addUsage as add, type JsonObject, type Part, type Usage } from '../../record/index.ts';
import { isNativeSummary } from '../../text/index.ts';
import { costOf } from '../../tokens/index.ts';
import type { TurnOptions } from '../turn-options.ts';

// What Anthropic alone wants said with a call, and says of it.

/** The part of a call that caches look at. */
export interface MarkedCall {
  readonly instructions?: string | SystemModelMessage;
  readonly messages: ModelMessage[];
  readonly tools?: ToolSet;
}

/** What a provider did to the request before it answered: it summarised it, or left old tool outputs out. */
export interface NativeUse {
  /** Of the summary that it wrote for itself. */
  readonly summary?: Usage;
  /** Tokens of the request by its count, as it was sent; 0 if it answered another one. Absent: as in the usage. */
  readonly counted?: number;
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };
/** More marks are refused. */
const MOST_MARKS = 4;

/**
 * The call with marks: what was read is kept only up to where one says so, and found again only where a later request is alike
 * up to there; other providers do both by themselves. Marks of agents and hosts count.
 */
export function markCache(
  call: MarkedCall,
  { seams }: Pick<BuiltContext, 'seams'>,
  providerOptions: TurnOptions['providerOptions'],
): MarkedCall {
  const { messages, tools = {} } = call;
  const automatic = isMarked(providerOptions);
  const own = [...Object.values(tools), ...messages.flatMap(({ content }) => content as object[])].filter(
    (one) => isMarked((one as { providerOptions?: unknown }).providerOptions),
  );
  const { records, turn, before, end = messages.length } = seams;
  const wanted = [automatic ? 0 : end, turn, before ?? 0, records].filter((end) => end > 0);
  const room = MOST_MARKS - own.length - (automatic ? 1 : 0);
  const ends = new Set([...new Set(wanted)].slice(0, Math.max(0, room)));
  const marked = {
    ...call,
    messages: messages.map((message, index) =>
      ends.has(index + 1) ? ({ ...message, providerOptions: CACHED } as ModelMessage) : message,
    ),
  };
  return ends.size < room ? markHead(marked) : marked;
}

/** Tools come first in what the provider reads, so a mark behind the instructions is one behind the tools too. */
function markHead({ instructions, tools, messages }: MarkedCall): MarkedCall {
  if (typeof instructions === 'string') {
    const system = { role: 'system', content: instructions, providerOptions: CACHED } as const;
    return { instructions: system, messages, ...(tools && { tools }) };
  }
  const [name, last] = Object.entries(tools ?? {}).at(-1) ?? [];
  if (name === undefined || last === undefined) return { messages };
  return { messages, tools: { ...tools, [name]: { ...last, providerOptions: CACHED } } };
}

function isMarked(options: unknown): boolean {
  const { anthropic } = (options ?? {}) as Record<string, JsonObject | undefined>;
  return anthropic?.cacheControl !== undefined || anthropic?.cache_control !== undefined;
}

/** The marker of Anthropic's that a request with such a summary needs; the SDK sets it for a signed one alone. */
const UNSIGNED = { 'anthropic-beta': 'compact-2026-01-12' };

export function headersFor({ messages }: Pick<BuiltContext, 'messages'>): Record<string, string> {
  const parts = messages.flatMap(({ content }): Part[] => content as never);
  const unsigned = parts.some((part) => part.type === 'text' && isNativeSummary(part) && !isSigned(part));
  return unsigned ? UNSIGNED : {};
}

function isSigned({ providerOptions }: Part): boolean {
  const { anthropic } = (providerOptions ?? {}) as { anthropic?: { signature?: unknown } };
  return typeof anthropic?.signature === 'string';
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
    iterations: z.array(Iteration).nullish().catch(undefined),
    contextManagement: z
      .object({ appliedEdits: z.array(z.object({ clearedInputTokens: count.optional() })) })
      .nullish()
      .catch(undefined),
  }),
});

/**
 * Anthropic reports the sum of all that it read for a call: the request, and after a summary what is left of it. The summary is
 * a call of its own in the ledger, and the size of a request is learnt only from a call that read this very request.
 */
export function splitUsage(
  usage: Usage | undefined,
  metadata: unknown,
  price: OpenedModel['price'],
): { readonly usage?: Usage; readonly native: NativeUse } {
  const { anthropic } = Metadata.safeParse(metadata).data ?? {};
  if (!usage || !anthropic) return { ...(usage && { usage }), native: {} };
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
