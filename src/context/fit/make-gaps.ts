import type { Summary } from '../../record/index.ts';
import type { ContextOptions } from '../context.ts';
import type { ContextDraft, Gap } from '../draft.ts';
import type { Block } from '../layout-blocks.ts';
import { notePiece } from '../piece.ts';
import { labelGap, nameRange } from '../render/label-text.ts';
import { type Recorded, recordPiece, recordSpanOf, shortRecordPiece } from '../render/record-block.ts';

/** The least that a digest of a run is worth making for. */
const LEAST_DIGEST = 120;

/**
 * What stands in the request for blocks that are gone: for each run of them a digest, made for this request only, or one line
 * about the gap.
 */
export function makeGaps(
  { blocks, isPinned }: ContextDraft,
  { digest, maxTokens }: { digest: ContextOptions['digest']; maxTokens: number },
): Map<Block, Gap> {
  const gaps = new Map<Block, Gap>();
  const runs = runsOf(blocks);
  const total = runs.reduce((sum, run) => sum + tokensOf(run), 0);
  for (const run of runs) {
    const entries = run.flatMap((block) => block.entries).filter((entry) => !isPinned(entry));
    const newest = entries.at(-1);
    if (!newest) continue;
    const range = recordSpanOf(entries.map(({ seq }) => ({ from: seq, to: seq })));
    const share = Math.floor((maxTokens * tokensOf(run)) / Math.max(1, total));
    const gap =
      digest && share >= LEAST_DIGEST
        ? digested({ id: newest.id, range, summary: digest(entries, share) }, share)
        : undefined;
    gaps.set(run[0]!, gap ?? { piece: notePiece('summary', labelGap(nameRange(range))) });
  }
  return gaps;
}

function digested(recorded: Recorded & { summary: Summary }, maxTokens: number): Gap | undefined {
  const whole = recordPiece(recorded);
  const piece = whole.tokens <= maxTokens ? whole : shortRecordPiece(recorded, maxTokens);
  return piece && { piece, recorded };
}

function runsOf(blocks: readonly Block[]): Block[][] {
  const runs: Block[][] = [];
  let open = false;
  for (const block of blocks) {
    const left = block.gone && block.kind !== 'record';
    if (left && open) runs.at(-1)!.push(block);
    else if (left) runs.push([block]);
    open = left;
  }
  return runs;
}

function tokensOf(run: readonly Block[]): number {
  return run.reduce((sum, { entries }) => entries.reduce((all, { tokens }) => all + tokens, sum), 0);
}
