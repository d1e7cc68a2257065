import type { Entry, Keep, Message } from '../record/index.ts';
import { readPart } from '../text/index.ts';

/**
 * The index in `messages` where the kept tail starts: everything before it may be summarised. A cut lies between turns,
 * so that no tool call is parted from its result; the newest turn always stays.
 */
export function chooseCut(messages: readonly Entry[], keep: Keep): number {
  const starts = turnStarts(messages);
  const newest = starts.at(-1);
  if (newest === undefined) return 0;
  const wanted = Math.min(
    keep.tokens === undefined ? messages.length : fitting(messages, keep.tokens),
    keep.messages === undefined ? messages.length : Math.max(0, messages.length - keep.messages),
    keep.turns === undefined ? messages.length : (starts.at(-Math.max(1, keep.turns)) ?? 0),
  );
  // With a budget of tokens the turn that only partly fits goes; with a count it stays, so that at least that many do.
  const later = starts.find((start) => start >= wanted);
  const earlier = starts.findLast((start) => start <= wanted);
  const byTokens = keep.tokens !== undefined && keep.messages === undefined && keep.turns === undefined;
  // A conversation may begin in the middle of a turn, behind a summary: with more to keep than there is, all of it stays.
  return Math.min(newest, byTokens ? (later ?? newest) : (earlier ?? 0));
}

/** Where the newest turn starts that the model has answered to the end; `undefined` if there is none. */
export function lastWholeTurn(messages: readonly Entry[]): number | undefined {
  const starts = turnStarts(messages);
  return starts.findLast((start, index) => isWhole(messages.slice(start, starts[index + 1])));
}

/** Whether the last message is an answer that waits for nothing. */
export function isWhole(messages: readonly Entry[]): boolean {
  const body = messages.at(-1)?.body;
  if (body?.kind !== 'message' || body.role !== 'assistant' || body.status === 'interrupted') return false;
  return !body.parts.map(readPart).some((piece) => piece.kind === 'call' && !piece.byProvider);
}

/**
 * The index where the tail starts when a single turn has to be cut: after a point where every tool call made so far has
 * its result. 0 if there is no such point.
 */
export function chooseCutInside(messages: readonly Entry[], keep: Keep): number {
  const open = new Set<string>();
  const most = Math.min(
    keep.tokens === undefined ? messages.length : fitting(messages, keep.tokens),
    keep.messages === undefined ? messages.length : Math.max(0, messages.length - keep.messages),
  );
  let cut = 0;
  for (const [index, { body }] of messages.entries()) {
    if (index >= most) break;
    if (body.kind === 'message') trackCalls(body, open);
    if (open.size === 0) cut = index + 1;
  }
  return cut;
}

/** The index of the oldest message of the longest tail that fits. */
function fitting(messages: readonly Entry[], tokens: number): number {
  let kept = 0;
  let index = messages.length;
  while (index > 0 && kept + messages[index - 1]!.tokens <= tokens) kept += messages[--index]!.tokens;
  return index;
}

export function turnStarts(messages: readonly Entry[]): number[] {
  return messages.flatMap(({ body }, index) =>
    body.kind === 'message' && body.role === 'user' ? [index] : [],
  );
}

function trackCalls({ parts }: Message, open: Set<string>): void {
  for (const piece of parts.map(readPart)) {
    if (piece.kind === 'call' && piece.id !== undefined) open.add(piece.id);
    if (piece.kind === 'result' && piece.id !== undefined) open.delete(piece.id);
  }
}
