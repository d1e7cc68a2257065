import type { ModelMessage, SystemModelMessage, ToolSet } from 'ai';
import type { BuiltContext } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';
import type { JsonObject } from '../../record/index.ts';
import type { TurnOptions } from '../turn-options.ts';

/** The part of a call that caches look at. */
export interface MarkedCall {
  readonly instructions?: string | SystemModelMessage;
  readonly messages: ModelMessage[];
  readonly tools?: ToolSet;
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };
/** More marks are refused. */
const MOST_MARKS = 4;

/**
 * The request as the AI SDK takes it. Anthropic keeps what it has read only where a mark says so, and finds it again only
 * where a later request is alike up to that mark; other providers do both by themselves. Marks of agents and hosts count.
 */
export function markCache(
  { instructions, messages, seams }: Pick<BuiltContext, 'instructions' | 'messages' | 'seams'>,
  model: Pick<OpenedModel, 'provider' | 'languageModel'>,
  { tools = {}, providerOptions }: Pick<TurnOptions, 'providerOptions'> & { readonly tools?: ToolSet } = {},
): MarkedCall {
  const plain = {
    ...(instructions !== '' && { instructions }),
    messages: messages as ModelMessage[],
    ...(Object.keys(tools).length > 0 && { tools }),
  };
  if (!isAnthropic(model)) return plain;
  const automatic = isMarked(providerOptions);
  const own = [...Object.values(tools), ...messages.flatMap(({ content }): object[] => content)].filter(
    (one) => isMarked((one as { providerOptions?: unknown }).providerOptions),
  );
  const { records, turn, before } = seams;
  const wanted = [automatic ? 0 : messages.length, turn, before ?? 0, records].filter((end) => end > 0);
  const room = MOST_MARKS - own.length - (automatic ? 1 : 0);
  const ends = new Set([...new Set(wanted)].slice(0, Math.max(0, room)));
  const marked = {
    ...plain,
    messages: plain.messages.map((message, index) =>
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

/** Other hosts of the same models call themselves `vertex.anthropic.messages`. */
function isAnthropic({ provider, languageModel }: Pick<OpenedModel, 'provider' | 'languageModel'>): boolean {
  return provider === 'anthropic' || /\banthropic\b/.test(languageModel.provider);
}

function isMarked(options: unknown): boolean {
  const { anthropic } = (options ?? {}) as Record<string, JsonObject | undefined>;
  return anthropic?.cacheControl !== undefined || anthropic?.cache_control !== undefined;
}
