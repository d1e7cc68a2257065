import type { Entry, EntryId, Part } from '../record/index.ts';
import type { Climb } from './fit-ladder.ts';
import { ANY_ID } from './label-text.ts';
import type { Block } from './lay-blocks.ts';
import { countAs, countParts, withParts } from './piece.ts';
import type { Output } from './render-output.ts';
import { unreadBlock } from './unread-outputs.ts';

/** Stubs cost some 40 tokens, so outputs that are hardly longer stay. */
const LEAST = 80;

/**
 * Outputs that the model has read become a line that says where they are, oldest first. Pinned ones stay, and so does what
 * the model has not seen yet.
 */
export const stubOutputs: Climb = (draft, { need, leftOut }) => {
  const unread = unreadBlock(draft);
  let freed = 0;
  for (const block of draft.blocks) {
    if (freed >= need) break;
    if (block.gone || block === unread) continue;
    freed += stubBlock(block, {
      need: need - freed,
      isPinned: draft.isPinned,
      onStub: (entry, tokens) => leftOut.add('tool outputs', 'replaced by a reference to fit', entry, tokens),
    });
  }
  return freed > 0;
};

interface Stubbing {
  readonly need: number;
  readonly isPinned: (entry: Entry) => boolean;
  onStub(entry: Entry, tokens: number): void;
}

function stubBlock(block: Block, { need, isPinned, onStub }: Stubbing): number {
  const results = block.pieces.at(-1);
  if (results?.role !== 'tool') return 0;
  let freed = 0;
  const parts = results.parts.map((part, index) => {
    const source = results.sources[index]!;
    const tokens = results.parts.length === 1 ? results.tokens : countParts([part]);
    if (freed >= need || tokens < LEAST || isPinned(source)) return part;
    const stub = stubOf(part, source, tokens);
    const gain = tokens - countParts([stub]);
    if (gain <= 0) return part;
    onStub(source, gain);
    freed += gain;
    return stub;
  });
  if (freed > 0) block.pieces = [...block.pieces.slice(0, -1), withParts(results, parts)];
  return freed;
}

function stubOf({ type, toolCallId, toolName, output }: Part, { id }: Entry, tokens: number): Part {
  const failed = (output as Output).type.startsWith('error');
  const naming = (entry: EntryId): Part => {
    const value = `[Output of about ${tokens} tokens left out to fit. Entry ${entry} has it.]`;
    return { type, toolCallId, toolName, output: { type: failed ? 'error-text' : 'text', value } };
  };
  return countAs(naming(id), naming(ANY_ID));
}
