import { reply, replyObject, type Step } from '../support/wire-script.ts';
import type { Script, WireRequest } from '../support/wire-server.ts';

/** What a chat asks a model for. */
export type Asked = 'answer' | 'summary' | 'acknowledgement';

export function askedFor({ body }: Pick<WireRequest, 'body'>): Asked {
  const text = JSON.stringify(body);
  if (/Write the record of this transcript|asks for a record of a part/.test(text)) return 'summary';
  const messages = (body as { messages?: readonly unknown[] }).messages ?? [];
  return JSON.stringify(messages.at(-1) ?? '').includes('CONTEXT RESTORATION') ? 'acknowledgement' : 'answer';
}

const line = (text: string) => [{ text, entries: [] }];

export const SUMMARY = {
  background: 'Initial session.',
  overview: 'A rate limiter was planned.',
  topics: line('Rate limiter implementation strategies'),
  decisions: line('Use token bucket with Redis backing'),
  completed: [],
  pending: line('Integration testing with auth system'),
  blockers: [],
  facts: [],
};

export const ACKNOWLEDGED = "I've reviewed our conversation about the rate limiter. Ready to continue!";

/** A model that answers, summarises and acknowledges; each of them can be told to do something else. */
export function obligingModel(
  steps: Partial<Record<Asked, (request: WireRequest, index: number) => Step>> = {},
): Script {
  const counts: Record<Asked, number> = { answer: 0, summary: 0, acknowledgement: 0 };
  return (request) => {
    const asked = askedFor(request);
    const index = counts[asked]++;
    const step = steps[asked]?.(request, index);
    if (step) return step;
    if (asked === 'summary') return replyObject(SUMMARY, { usage: { input: 300, output: 60 } });
    if (asked === 'acknowledgement') return reply(ACKNOWLEDGED, { usage: { input: 89, output: 67 } });
    return reply(`Answer ${index + 1}.`, { usage: { input: 100, output: 10 } });
  };
}
