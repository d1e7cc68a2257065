import { type ContextDraft, leaveOut, pinTokens, questionIndex } from '../draft.ts';
import type { Block } from '../layout-blocks.ts';
import { sumTokens } from '../piece.ts';
import type { Climb } from './fit-ladder.ts';
import { makeGaps } from './make-gaps.ts';

const LINE = 48;
const MOST_DIGEST = 2000;

/**
 * Older turns leave whole, oldest first. In their place stands a digest for this request only, or a line about the gap. Records
 * stay, and so do pinned messages.
 */
export const leaveOutTurns: Climb = (draft, { need, limit, digest, leftOut }) => {
  const newest = draft.blocks[questionIndex(draft)]?.turn ?? 0;
  const older = draft.blocks.filter(({ kind, turn, gone }) => kind !== 'record' && turn < newest && !gone);
  const allowance = digest ? Math.min(MOST_DIGEST, Math.floor(limit / 10)) : LINE;
  const reason = digest ? 'summarised to fit' : 'left out to fit';
  let freed = 0;
  for (const turn of Map.groupBy(older, ({ turn }) => turn).values()) {
    if (freed >= need + allowance) break;
    for (const block of turn) {
      // A turn of pinned messages costs no more where it stands.
      const gain = gainOf(block, draft.isPinned);
      if (gain <= 0) continue;
      leftOut.add('turns', reason, block.entries, sumTokens(block.pieces));
      leaveOut(draft, block);
      freed += gain;
    }
  }
  if (freed === 0) return false;
  draft.gaps = makeGaps(draft, { digest, maxTokens: allowance });
  return true;
};

/** What a block gives back when it leaves: its tokens, less what its pins cost elsewhere. */
export function gainOf({ pieces, entries }: Block, isPinned: ContextDraft['isPinned']): number {
  let gain = sumTokens(pieces);
  for (const entry of entries) if (isPinned(entry)) gain -= pinTokens(entry);
  return gain;
}
