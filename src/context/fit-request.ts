import type { Summary } from '../record/index.ts';
import { boundMedia } from './bound-media.ts';
import type { Budget, ContextOptions, ContextState, Rung } from './context.ts';
import { type Draft, piecesOf, tokensOf } from './draft.ts';
import { createLeftOutTally, fitLadder, type LeftOutTally } from './fit-ladder.ts';
import { headTooLarge } from './head-too-large.ts';
import { type Head, layHead } from './lay-head.ts';
import { layTorso, type Torso } from './lay-torso.ts';
import { bytesOfPieces } from './part-facts.ts';
import type { Piece } from './piece.ts';
import { pinTokens } from './pin-block.ts';
import { planRoom, type Room } from './plan-room.ts';

export interface Fitted {
  readonly draft: Draft;
  readonly steps: Rung[];
  readonly leftOut: LeftOutTally;
  readonly tokensLeft: number;
  readonly bytesLeft: number;
}

/**
 * A draft that fits in tokens, images and bytes. Bytes are nearly always a matter of images; when text alone has too many,
 * the same ladder is climbed with fewer tokens until the bytes fit too.
 */
export function fitRequest(
  torso: Torso,
  head: Head,
  { room, budget, digest }: { room: Room; budget: Budget; digest: ContextOptions['digest'] },
): Fitted {
  const fitting = { budget, digest: digest && once(digest) };
  // Nothing is summarised for a request that cannot go out anyway.
  const bare = torso.draft(head.tokens);
  const firm = bare.pins.reduce((sum, pin) => sum + pinTokens(pin), head.tokens);
  if (firm > room.limit) throw headTooLarge(bare, head, { room, budget });
  const maxBytes = budget.maxBytes ?? Number.POSITIVE_INFINITY;
  let tooLittle = -1;
  let limit = room.limit;
  let tooMuch = limit + 1;
  for (;;) {
    const { draft, steps, leftOut } = climb(torso, head, { ...fitting, limit });
    const tokens = tokensOf(draft);
    const bytes = budget.maxBytes === undefined ? 0 : head.bytes + bytesOfPieces(piecesOf(draft));
    if (tokens <= limit && bytes <= maxBytes) {
      return { draft, steps, leftOut, tokensLeft: limit - tokens, bytesLeft: maxBytes - bytes };
    }
    if (tokens > limit) tooLittle = limit;
    else tooMuch = Math.min(limit, tokens);
    if (tooMuch - tooLittle <= 1 || tooLittle === room.limit)
      throw headTooLarge(draft, head, { room, budget });
    const guess = tokens > limit ? 0 : Math.floor((tooMuch * maxBytes) / bytes);
    limit = guess > tooLittle && guess < tooMuch ? guess : Math.floor((tooLittle + tooMuch) / 2);
  }
}

function climb(
  torso: Torso,
  head: Head,
  { limit, budget, digest }: { limit: number; budget: Budget; digest: ContextOptions['digest'] },
): Pick<Fitted, 'draft' | 'steps' | 'leftOut'> {
  const leftOut = createLeftOutTally();
  torso.tell(leftOut);
  const draft = torso.draft(head.tokens);
  const steps: Rung[] = boundMedia(draft, { ...budget, headBytes: head.bytes }, leftOut)
    ? ['bound-media']
    : [];
  steps.push(...fitLadder(draft, { limit, digest, leftOut }));
  return { draft, steps, leftOut };
}

/** Rungs may ask for the same digest again while they look for what fits. */
function once(digest: NonNullable<ContextOptions['digest']>): NonNullable<ContextOptions['digest']> {
  const made = new Map<string, Summary>();
  return (entries, maxTokens) => {
    const key = `${entries[0]?.id} ${entries.at(-1)?.id} ${entries.length} ${maxTokens}`;
    const summary = made.get(key) ?? digest(entries, maxTokens);
    made.set(key, summary);
    return summary;
  };
}

export interface FittedContext {
  readonly room: Room;
  readonly torso: Torso;
  readonly head: Head;
  readonly fitted: Fitted;
  /** The messages of the request, in order. A part without a source is a note about the request itself. */
  readonly pieces: readonly Piece[];
}

/**
 * The fitter: head, records, pins and messages in a budget, before they take the form that they are sent in. Pure. Throws
 * `head-too-large` when the parts that cannot be shortened are larger than the room.
 */
export function fitContext(
  state: ContextState,
  budget: Budget,
  { digest }: ContextOptions = {},
): FittedContext {
  const room = planRoom(budget);
  const torso = layTorso(state);
  const head = layHead(state, torso.system);
  const fitted = fitRequest(torso, head, { room, budget, digest });
  return { room, torso, head, fitted, pieces: piecesOf(fitted.draft) };
}
