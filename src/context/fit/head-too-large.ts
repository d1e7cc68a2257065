import { ThroughlineError } from '../../errors.ts';
import type { Budget } from '../context.ts';
import { type ContextDraft, piecesOf, questionIndex } from '../draft.ts';
import { sumTokens } from '../piece.ts';
import type { Head, Room } from './fit-request.ts';

/** Nothing that could be shortened is left, and it still does not fit. Compacting would not help, and the numbers say why. */
export function headTooLarge(
  draft: ContextDraft,
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
  // Only pins keep parts of the newest message from being cut.
  const held = (asked?.entries ?? []).filter(draft.isPinned);
  const heldTokens = held.length > 0 ? question : 0;
  const advice =
    pinned + heldTokens <= facts.head + tools
      ? 'Shorten the instructions, offer fewer tools, or use a model with a larger window.'
      : heldTokens > pinned
        ? `Unpin the newest message (entry ${held.map(({ seq }) => seq).join(', ')}), so that it can be cut, or use a model with a larger window.`
        : 'Unpin entries, or use a model with a larger window.';
  return new ThroughlineError(
    'head-too-large',
    `The request does not fit into ${room.limit} tokens${bytes} (a window of ${room.window}, less ${room.reserve} for the answer), ` +
      `even without any history: head ${facts.head}, tools ${tools}, pinned ${pinned}, newest message ${question} tokens${held.length > 0 ? ' (pinned)' : ''}. ${advice}`,
    {
      details: {
        ...details,
        ...(budget.maxBytes !== undefined && { maxBytes: budget.maxBytes, headBytes: head.bytes }),
      },
    },
  );
}
