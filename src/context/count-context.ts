import type { Part } from '../record/index.ts';
import { countMessage, countPart } from '../tokens/index.ts';
import type { BuiltContext, ContextTool } from './context.ts';
import { countedAs } from './piece.ts';

export type CountTokens = (text: string) => number;

// Counted when they are asked for: the estimate makes its tables at its first count, which takes some 10 ms.
const frame = () => countMessage({ role: 'user', parts: [] });
const toolFrame = () => countPart({ type: 'tool-call', toolName: '', input: {} });

/**
 * What a request takes by a tokenizer: its texts counted one by one, and everything else, as pictures, by the estimate. An id
 * that was written into a text costs the same whatever its digits are: by how much the estimate is raised hangs on this.
 */
export function countContext(
  { instructions, messages }: Pick<BuiltContext, 'instructions' | 'messages'>,
  tools: readonly ContextTool[],
  countTokens: CountTokens,
): number {
  const parts = messages.flatMap(({ content }): Part[] => content as never);
  const said = parts.reduce(
    (sum, part) => sum + countOne(countedAs(part), countTokens),
    messages.length * frame(),
  );
  const offered = tools.map(({ name, description, inputSchema }) =>
    countTokens(JSON.stringify({ name, description, inputSchema })),
  );
  return countTokens(instructions) + said + offered.reduce((sum, tokens) => sum + tokens, 0);
}

function countOne(part: Part, countTokens: CountTokens): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return countTokens(String(part.text));
    case 'tool-call':
      return toolFrame() + countTokens(String(part.toolName)) + countTokens(JSON.stringify(part.input ?? {}));
    case 'tool-result': {
      const { type, value } = (part.output ?? {}) as { type?: unknown; value?: unknown };
      if (type === 'content') return countPart(part);
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      return toolFrame() + countTokens(String(part.toolName)) + countTokens(text);
    }
    default:
      return countPart(part);
  }
}
