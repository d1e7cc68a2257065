import type { Seq } from '../../record/index.ts';

// A message's number in the index holds its session and its seq, so a session is a range of numbers, the turns beside a
// message are the numbers beside its own, and neither needs a look-up. 2^25 sessions of 2^28 entries fit into a double.
export const SEQ_BITS = 28;
const SPAN = 2 ** SEQ_BITS;

/** The largest seq that fits. */
export const LAST_SEQ: Seq = SPAN - 1;

/** The number of a message: its session's key in the index, and its seq. */
export function docId(key: number, seq: Seq): number {
  if (seq >= SPAN) throw new Error(`bug: seq ${seq} does not fit into the index`);
  return key * SPAN + seq;
}

export function keyOf(doc: number): number {
  return Math.floor(doc / SPAN);
}

export function seqOf(doc: number): Seq {
  return doc % SPAN;
}
