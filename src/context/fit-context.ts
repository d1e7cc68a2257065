import type { Budget, ContextOptions, ContextState } from './context.ts';
import { piecesOf } from './draft.ts';
import { type Fitted, fitRequest } from './fit-request.ts';
import { type Head, layHead } from './lay-head.ts';
import { layTorso, type Torso } from './lay-torso.ts';
import type { Piece } from './piece.ts';
import { planRoom, type Room } from './plan-room.ts';

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
