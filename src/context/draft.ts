import type { Entry, Part } from '../record/index.ts';
import { NO_BEGINNING, NOTHING_SHOWN } from './label-text.ts';
import type { Block } from './lay-blocks.ts';
import { notePiece, type Piece, sumTokens, withoutMedia } from './piece.ts';
import { pinPiece } from './pin-block.ts';
import type { Recorded } from './record-block.ts';

/** What is said in place of a run of blocks that are gone. */
export interface Gap {
  readonly piece: Piece;
  readonly recorded?: Recorded;
}

/** A request while it is being fitted. The rungs of the ladder change it; the pieces in it are replaced, not changed. */
export interface Draft {
  /** Of head and tools. */
  readonly fixedTokens: number;
  readonly blocks: readonly Block[];
  /** Whether anything was said at all; an empty session has nothing to send. */
  readonly began: boolean;
  readonly isPinned: (entry: Entry) => boolean;
  /** Pinned entries that are not in the conversation, or not any more. */
  pins: readonly Entry[];
  /** By the first block of each run that is gone. */
  gaps: ReadonlyMap<Block, Gap>;
  /** All records as one, in front. */
  merged?: Piece | undefined;
  /** Images and files that are over the limits of a request. */
  withoutMedia?: ReadonlySet<Part>;
}

/** The messages of the request, in order. */
export function piecesOf(draft: Draft, recall?: Piece): Piece[] {
  const { blocks, gaps, merged } = draft;
  const pieces: Piece[] = [];
  const pins = pinPiece(draft.pins);
  if (pins) pieces.push(draft.withoutMedia ? withoutMedia(pins, draft.withoutMedia) : pins);
  if (merged) pieces.push(merged);

  const question = questionIndex(draft);
  const answers: Piece[] = [];
  for (const [index, block] of blocks.entries()) {
    const gap = gaps.get(block);
    if (gap) pieces.push(gap.piece);
    if (block.gone || index === question) continue;
    // Records and notes stand before the newest question, also when they are about what came after it: the question
    // stays the last thing that a user said.
    const isAnswer = question >= 0 && index > question && block.kind === 'exchange';
    (isAnswer ? answers : pieces).push(...block.pieces);
  }
  if (recall) pieces.push(recall);
  if (question >= 0) pieces.push(...blocks[question]!.pieces);
  pieces.push(...answers);

  // Providers want a user to speak, and to speak first.
  if (pieces.length === 0) return draft.began ? [notePiece('messages', NOTHING_SHOWN)] : [];
  if (pieces[0]!.role !== 'user') pieces.unshift(notePiece('messages', NO_BEGINNING));
  return joinAnswers(pieces);
}

export function tokensOf(draft: Draft): number {
  return draft.fixedTokens + sumTokens(piecesOf(draft));
}

/** Where the newest question stands: the last thing a user said that is still here. -1 if there is none. */
export function questionIndex({ blocks }: Draft): number {
  return blocks.findLastIndex(({ kind, gone }) => kind === 'asked' && !gone);
}

/** Lets a block go. What is pinned in it stays, word for word, with the other pins. */
export function leaveOut(draft: Draft, block: Block): void {
  block.gone = true;
  const pinned = block.entries.filter(draft.isPinned);
  if (pinned.length > 0) draft.pins = [...draft.pins, ...pinned];
}

/** Two answers in a row become one message: some providers refuse a call that does not follow a question or a result. */
function joinAnswers(pieces: readonly Piece[]): Piece[] {
  const joined: Piece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.role !== 'assistant' || last?.role !== 'assistant') joined.push(piece);
    else {
      joined[joined.length - 1] = {
        ...last,
        parts: [...last.parts, ...piece.parts],
        sources: [...last.sources, ...piece.sources],
        tokens: last.tokens + piece.tokens,
      };
    }
  }
  return joined;
}
