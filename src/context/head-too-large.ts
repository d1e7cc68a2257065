import { ThroughlineError } from '../errors.ts';
import type { Budget } from './context.ts';
import { type Draft, piecesOf, questionIndex } from './draft.ts';
import type { Head } from './lay-head.ts';
import { sumTokens } from './piece.ts';
import type { Room } from './plan-room.ts';

/** Nothing that could be shortened is left, and it still does not fit. Compacting would not help, and the numbers say why. */
export function headTooLarge(
  draft: Draft,
  head: Head,
  { room, budget }: { room: Room; budget: Budget },
): ThroughlineError {
  const tools = head.parts.get('tools') ?? 0;
  const asked = draft.blocks[questionIndex(draft)];
  const question = sumTokens(asked?.pieces ?? []);
  const standing = draft.blocks.filter(
    (block) => !block.gone && block !== asked && block.entries.some(draft.isPinned),
  );
  const pinned = sumTokens([
    ...piecesOf(draft).filter(({ share }) => share === 'pinned'),
    ...standing.flatMap(({ pieces }) => pieces),
  ]);
  const facts = { head: head.tokens - tools, tools, pinned, question };
  const details = { ...facts, window: room.window, reserve: room.reserve, room: room.limit };
  const bytes = budget.maxBytes === undefined ? '' : ` and ${budget.maxBytes} bytes`;
  const advice =
    pinned > facts.head + tools
      ? 'Unpin entries, or use a model with a larger window.'
      : 'Shorten the instructions, offer fewer tools, or use a model with a larger window.';
  return new ThroughlineError(
    'head-too-large',
    `The request does not fit into ${room.limit} tokens${bytes} (a window of ${room.window}, less ${room.reserve} for the answer), ` +
      `even without any history: head ${facts.head}, tools ${tools}, pinned ${pinned}, newest message ${question} tokens. ${advice}`,
    {
      details: {
        ...details,
        ...(budget.maxBytes !== undefined && { maxBytes: budget.maxBytes, headBytes: head.bytes }),
      },
    },
  );
}
