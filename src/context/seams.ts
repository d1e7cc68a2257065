import type { Piece } from './piece.ts';

/** Where the requests of a session stop being alike, counted in messages from the beginning. A cache is kept up to there. */
export interface Seams {
  /** Behind pins and summaries: the rest is replaced by the next compaction. */
  readonly records: number;
  /** Before what was recalled and the newest question: the next turn recalls something else. */
  readonly turn: number;
  /** Where the request before this one was alike up to, if more than `LOOK_BACK` parts were added since. */
  readonly before?: number;
}

/** Parts, counted backward from a mark, within which Anthropic finds the mark of an earlier request. */
const LOOK_BACK = 18;

export function findSeams(pieces: readonly Piece[]): Seams {
  const records = pieces.findIndex(({ share }) => share !== 'pinned' && share !== 'summary');
  const recall = pieces.findIndex(({ share }) => share === 'recall');
  const question = lastQuestion(pieces, pieces.length);
  const turn = recall >= 0 ? recall : Math.max(0, question);
  const before = findBefore(pieces, { question, turn });
  return {
    records: records < 0 ? pieces.length : records,
    turn,
    ...(before !== undefined && { before }),
  };
}

/** In a turn, behind what the last step was asked with; in its first step, where the turn before began. */
function findBefore(
  pieces: readonly Piece[],
  { question, turn }: { question: number; turn: number },
): number | undefined {
  const answer = pieces.findLastIndex(({ role }) => role === 'assistant');
  const [from, to] =
    answer > question ? [answer, pieces.length] : [lastQuestion(pieces, Math.max(0, question)), turn];
  if (from <= 0) return undefined;
  const added = pieces.slice(from, to).reduce((sum, { parts }) => sum + parts.length, 0);
  return added > LOOK_BACK ? from : undefined;
}

function lastQuestion(pieces: readonly Piece[], end: number): number {
  return pieces.slice(0, end).findLastIndex(({ role, share }) => role === 'user' && share === 'messages');
}
