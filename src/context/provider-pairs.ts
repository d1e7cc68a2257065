import type { Part } from '../record/index.ts';
import type { Rendered } from './render-message.ts';

/**
 * Tools that the provider ran itself: call and result stand in one assistant message, in the provider's own form. They go back
 * only to the model they came from and only as whole pairs; the missing half cannot be written for a provider.
 */
export function keepProviderPairs({ parts, bound }: Rendered): readonly Part[] {
  const ran = new Map<unknown, number>();
  for (const [index, part] of parts.entries()) {
    if (part.type === 'tool-call' && part.providerExecuted === true && !ran.has(part.toolCallId)) {
      ran.set(part.toolCallId, index);
    }
  }
  if (ran.size === 0) return parts;

  const answered = new Map<unknown, number>();
  for (const [index, part] of parts.entries()) {
    const call = ran.get(part.toolCallId);
    if (part.type !== 'tool-result' || call === undefined || call > index) continue;
    if (!answered.has(part.toolCallId)) answered.set(part.toolCallId, index);
  }
  return parts.filter((part, index) => {
    const call = ran.get(part.toolCallId);
    if (call === undefined) return true;
    if (part.type === 'tool-call' && part.providerExecuted !== true) return true;
    if (part.type !== 'tool-call' && part.type !== 'tool-result') return true;
    const result = answered.get(part.toolCallId);
    return bound && result !== undefined && (index === call || index === result);
  });
}
