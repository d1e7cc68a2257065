import { tokensOf } from './draft.ts';
import type { Climb } from './fit-ladder.ts';
import type { Block } from './lay-blocks.ts';
import { sumTokens } from './piece.ts';
import { mergeRecords, shortRecordPiece } from './record-block.ts';

const SHARE = 0.25;
const LEAST = 160;

/** Records give up three quarters of their length, oldest first. */
export const shortenSummaries: Climb = (draft, { need, leftOut }) => {
  let freed = 0;
  for (const block of draft.blocks) {
    if (freed >= need) break;
    if (block.gone || !block.recorded || block.entries.some(draft.isPinned)) continue;
    const tokens = sumTokens(block.pieces);
    const short = shortRecordPiece(block.recorded, Math.max(LEAST, Math.floor(tokens * SHARE)));
    if (!short || short.tokens >= tokens) continue;
    leftOut.add('summaries', 'shortened to fit', block.entries, tokens - short.tokens);
    freed += tokens - short.tokens;
    block.pieces = [short];
  }
  return freed > 0;
};

/** All records become one, as long as there is room for; older lines go first, and without room it goes as a whole. */
export const mergeSummaries: Climb = (draft, { limit, step, leftOut }) => {
  const isFree = (block: Block) => block.recorded && !block.gone && !block.entries.some(draft.isPinned);
  const blocks = draft.blocks.filter(isFree);
  const records = draft.blocks.flatMap(
    (block) => (isFree(block) ? block.recorded : draft.gaps.get(block)?.recorded) ?? [],
  );
  if (records.length === 0) return false;
  const before = tokensOf(draft);
  for (const block of blocks) block.gone = true;
  draft.gaps = new Map();
  draft.merged = undefined;
  const room = limit - tokensOf(draft);
  const merged = mergeRecords(records);
  // In whole steps while there is room for one, so that the record does not change with every message.
  draft.merged = merged && shortRecordPiece(merged, room > step ? room - (room % step) : room);
  const reason = draft.merged ? 'merged to fit' : 'left out to fit';
  leftOut.add(
    'summaries',
    reason,
    blocks.flatMap(({ entries }) => entries),
    before - tokensOf(draft),
  );
  return true;
};
