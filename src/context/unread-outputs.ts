import { cutPart, waterLevel } from './cut-part.ts';
import { type Draft, pinTokens, questionIndex } from './draft.ts';
import type { Climb } from './fit-ladder.ts';
import type { Block } from './lay-blocks.ts';
import { partTokens, withParts } from './piece.ts';

/** The newest answer, if its tool results are the end of the conversation: the model has not read them yet. */
export function unreadBlock(draft: Draft): Block | undefined {
  const last = draft.blocks.findLast(({ gone, kind }) => !gone && kind !== 'note' && kind !== 'record');
  return last?.kind === 'exchange' && last.pieces.at(-1)?.role === 'tool' ? last : undefined;
}

/**
 * Unread results cannot become stubs, or the model would ask again. But one huge result must not push the whole conversation
 * out either: together they get half of the room, and the largest are cut first.
 */
export const cutUnreadOutputs: Climb = (draft, { limit, leftOut }) => {
  const block = unreadBlock(draft);
  const results = block?.pieces.at(-1);
  if (!block || !results) return false;
  const question = draft.blocks[questionIndex(draft)];
  const taken = draft.pins.reduce(
    (sum, pin) => sum + pinTokens(pin),
    draft.fixedTokens + (question?.pieces[0]?.tokens ?? 0),
  );
  const room = Math.floor((limit - taken) / 2);
  if (results.tokens <= room || room <= 0) return false;

  const sizes = results.parts.map((part) => partTokens(part));
  const isFree = (index: number) => !draft.isPinned(results.sources[index]!);
  const level = waterLevel(
    sizes.filter((_, index) => isFree(index)),
    room,
  );
  const parts = results.parts.map((part, index) =>
    isFree(index) && sizes[index]! > level ? cutPart(part, level, results.sources[index]!) : part,
  );
  const cut = withParts(results, parts);
  if (cut.tokens >= results.tokens) return false;
  leftOut.add(
    'tool outputs',
    'cut to fit',
    results.sources.flatMap((source) => source ?? []),
    results.tokens - cut.tokens,
  );
  block.pieces = [...block.pieces.slice(0, -1), cut];
  return true;
};
