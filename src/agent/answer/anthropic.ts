import type { ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import type { BuiltContext } from '../../context/index.ts';
import type { JsonObject, Part } from '../../record/index.ts';
import { isNativeSummary } from '../../text/index.ts';
import type { TurnOptions } from '../turn-options.ts';

// What Anthropic alone wants said with a call.

/** The part of a call that caches look at. */
export interface MarkedCall {
  readonly instructions?: string | SystemModelMessage;
  readonly messages: ModelMessage[];
  readonly tools?: ToolSet;
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;
const CACHED_LONG = { anthropic: { cacheControl: { type: 'ephemeral', ttl: '1h' } } } as const;
/** More marks are refused. */
const MOST_MARKS = 4;

/**
 * The call with marks: the prefix is kept only up to a marker, and found again only where a later request is alike up to there;
 * other providers do both automatically. Marks of agents and hosts count.
 */
export function markCache(
  call: MarkedCall,
  { seams }: Pick<BuiltContext, 'seams'>,
  providerOptions: TurnOptions['providerOptions'],
): MarkedCall {
  const { messages, tools = {} } = call;
  const automatic = isMarked(providerOptions);
  const own = [...Object.values(tools), ...messages.flatMap(({ content }) => content as object[])]
    .map((one) => (one as { providerOptions?: unknown }).providerOptions)
    .filter(isMarked);
  // Parts kept for an hour have to stand before the others.
  const cached = [providerOptions, ...own].some(isLong) ? CACHED_LONG : CACHED;
  const { records, turn, before, end = messages.length } = seams;
  const wanted = [automatic ? 0 : end, turn, before ?? 0, records].filter((end) => end > 0);
  const room = MOST_MARKS - own.length - (automatic ? 1 : 0);
  const ends = new Set([...new Set(wanted)].slice(0, Math.max(0, room)));
  const marked = {
    ...call,
    messages: messages.map((message, index) =>
      ends.has(index + 1) ? ({ ...message, providerOptions: cached } as ModelMessage) : message,
    ),
  };
  return ends.size < room ? markHead(marked, cached) : marked;
}

/** Tools come first in what the provider reads, so a mark behind the instructions is one behind the tools too. */
function markHead(
  { instructions, tools, messages }: MarkedCall,
  providerOptions: typeof CACHED | typeof CACHED_LONG,
): MarkedCall {
  if (typeof instructions === 'string') {
    const system = { role: 'system', content: instructions, providerOptions } as const;
    return { instructions: system, messages, ...(tools && { tools }) };
  }
  const [name, last] = Object.entries(tools ?? {}).at(-1) ?? [];
  if (name === undefined || last === undefined) return { messages };
  return { messages, tools: { ...tools, [name]: { ...last, providerOptions } } };
}

function isMarked(options: unknown): boolean {
  return markIn(options) !== undefined;
}

function isLong(options: unknown): boolean {
  return (markIn(options) as { ttl?: unknown } | undefined)?.ttl === '1h';
}

function markIn(options: unknown): unknown {
  const { anthropic } = (options ?? {}) as Record<string, JsonObject | undefined>;
  return anthropic?.cacheControl ?? anthropic?.cache_control;
}

/** The marker of Anthropic's that a request with a native summary needs; the SDK sets it for a signed one alone. */
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
