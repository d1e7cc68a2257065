import type { ModelMessage, SystemModelMessage } from 'ai';
import type { BuiltContext } from '../../context/index.ts';
import type { OpenedModel } from '../../models/index.ts';

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/** The request as the AI SDK takes it. Anthropic keeps what it has read only where it is told to; others by themselves. */
export function markCache(
  { instructions, messages }: Pick<BuiltContext, 'instructions' | 'messages'>,
  { provider }: Pick<OpenedModel, 'provider'>,
): { instructions?: string | SystemModelMessage; messages: ModelMessage[] } {
  const sent = messages as ModelMessage[];
  if (provider !== 'anthropic') return { ...(instructions !== '' && { instructions }), messages: sent };
  const last = sent.at(-1);
  return {
    ...(instructions !== '' && {
      instructions: { role: 'system', content: instructions, providerOptions: CACHED },
    }),
    messages: last ? [...sent.slice(0, -1), { ...last, providerOptions: CACHED }] : sent,
  };
}
