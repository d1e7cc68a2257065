import { type Budget, type BuiltContext, buildContext, type ContextState } from '../../src/context/index.ts';
import type { Entry, EntryBody, Part } from '../../src/record/index.ts';
import { logOf } from '../../src/testing/index.ts';

/** A state with only a frontier, unless more is given. */
export function stateOf(frontier: readonly Entry[], fields: Partial<ContextState> = {}): ContextState {
  return { head: [], pinned: [], marks: marksOf(), frontier, ...fields };
}

export function marksOf(marks: Partial<ContextState['marks']> = {}): ContextState['marks'] {
  return { pinned: [], excluded: [], removed: [], ...marks };
}

/** The context of a conversation in a window that it fits into, unless told otherwise. */
export function contextOf(
  bodies: readonly EntryBody[],
  { budget = {}, ...fields }: Partial<ContextState> & { budget?: Partial<Budget> } = {},
): BuiltContext {
  return buildContext(stateOf(logOf(...bodies), fields), { window: 200_000, ...budget });
}

/** Who says what, one line a message: what most tests are about. */
export function linesOf({ messages }: Pick<BuiltContext, 'messages'>): string[] {
  return messages.map(({ role, content }) => `${role}: ${partsOf(content).map(lineOf).join(' | ')}`);
}

function partsOf(content: unknown): readonly Part[] {
  return content as readonly Part[];
}

function lineOf(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text as string;
    case 'reasoning':
      return `thinks ${part.text}`;
    case 'tool-call':
      return `calls ${part.toolName} (${part.toolCallId})`;
    case 'tool-result': {
      const { value, type } = part.output as { value?: unknown; type: string };
      return `gets ${typeof value === 'string' ? value : JSON.stringify(value ?? type)} (${part.toolCallId})`;
    }
    default:
      return part.type;
  }
}
