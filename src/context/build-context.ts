import type { Budget, BuiltContext, ContextOptions, ContextState } from './context.ts';
import type { ContextMessage } from './context-message.ts';
import { piecesOf } from './draft.ts';
import { type Fitted, fitRequest } from './fit-request.ts';
import { layHead } from './lay-head.ts';
import { layTorso } from './lay-torso.ts';
import { listParts } from './list-parts.ts';
import { bytesOfPieces } from './part-facts.ts';
import { type Piece, sumTokens } from './piece.ts';
import { corrected, maxOutputOf, planRoom } from './plan-room.ts';
import { prefixOf } from './prefix-hash.ts';
import { recallPiece } from './recall-block.ts';

const RECALL_TOKENS = 2000;

/**
 * What the model sees: head, records of what was compacted, messages, and what was recalled for the newest question. Pure.
 * It always fits, never tears a tool call from its result, and holds the newest question and every pin. Throws
 * `head-too-large` when what cannot be shortened is larger than the room.
 */
export function buildContext(
  state: ContextState,
  budget: Budget,
  options: ContextOptions = {},
): BuiltContext {
  const room = planRoom(budget);
  const torso = layTorso(state);
  const head = layHead(state, torso.system);
  const fitted = fitRequest(torso, head, { room, budget, digest: options.digest });
  const pieces = piecesOf(fitted.draft, recallFor(state, budget, fitted));
  const tokens = corrected(head.tokens + sumTokens(pieces), budget.correct);
  const sizes = { tokens, window: room.window, reserve: room.reserve };
  return {
    instructions: head.instructions,
    messages: pieces.map(toMessage),
    parts: listParts(head.parts, pieces, sizes),
    ...sizes,
    maxOutput: maxOutputOf(budget, tokens),
    leftOut: fitted.leftOut.list(),
    steps: fitted.steps,
    prefix: prefixOf(head.instructions, state.tools, pieces),
  };
}

/** Recall takes only room that is left, so that it never changes anything else in the request. */
function recallFor(
  { recall = [] }: ContextState,
  { recallTokens = RECALL_TOKENS }: Budget,
  { tokensLeft, bytesLeft, leftOut }: Fitted,
): Piece | undefined {
  if (recall.length === 0) return undefined;
  const { piece, unused } = recallPiece(recall, Math.min(recallTokens, tokensLeft));
  const fits = piece && bytesOfPieces([piece]) <= bytesLeft;
  for (const { entry } of fits ? unused : recall) leftOut.add('recalled', 'over the budget', { id: entry });
  return fits ? piece : undefined;
}

/** Copies, so that nobody who adds a field to a message changes an entry that is kept. */
function toMessage({ role, parts }: Piece): ContextMessage {
  return { role, content: parts.map((part) => ({ ...part })) } as unknown as ContextMessage;
}
