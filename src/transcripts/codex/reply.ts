import type { Message, Part, Usage } from '../../record/index.ts';
import { countOf, fieldsOf, usageOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import type { FoundEntry } from '../transcript.ts';
import { FORMAT } from './items.ts';

/** A line without what stands in the parts, and its place. */
export interface CarriedItem {
  readonly n: number;
  readonly line: Fields;
}

/** A reply while its items come in: thoughts, words and calls stand in separate lines. */
export interface Reply {
  readonly id: string;
  readonly at: number;
  readonly after: FoundEntry['after'];
  readonly parts: Part[];
  readonly lines: CarriedItem[];
  usage?: Usage | undefined;
  /** A result or a count has come: what the model says next is another reply. */
  sealed: boolean;
  readonly held: FoundEntry[];
  /** The items given already, and the reported part of them. */
  given: { parts: number; usage: Usage | undefined; held: number } | undefined;
}

export function replyBody({ parts, lines, usage }: Reply, model: string | undefined): Message {
  return {
    kind: 'message',
    role: 'assistant',
    parts: [...parts],
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    meta: carryMeta(lines),
  };
}

export function carryMeta(lines: readonly CarriedItem[]): Record<string, unknown> {
  return { [FORMAT]: { lines: [...lines] } };
}

/** Counts are repeated; only what the total has grown by was used by the last call. */
export function createUsageCounter(): (payload: Fields) => Usage | undefined {
  let total = '';
  return ({ info }) => {
    const { total_token_usage, last_token_usage } = fieldsOf(info);
    const sum = JSON.stringify(total_token_usage ?? null);
    if (sum === total) return undefined;
    total = sum;
    const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } =
      fieldsOf(last_token_usage);
    return usageOf({
      inputTokens: countOf(input_tokens),
      outputTokens: countOf(output_tokens),
      cacheReadTokens: countOf(cached_input_tokens),
      reasoningTokens: countOf(reasoning_output_tokens),
    });
  };
}
