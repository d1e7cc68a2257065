import { hash } from 'node:crypto';
import type { Entry, EntryId, Part } from '../record/index.ts';
import type {
  Budget,
  BuiltContext,
  ContextOptions,
  ContextState,
  ContextTool,
  Recalled,
  Seams,
} from './context.ts';
import type { ContextMessage } from './context-message.ts';
import { piecesOf } from './draft.ts';
import { corrected, type Fitted, fitContext, maxOutputOf } from './fit/fit-request.ts';
import { bytesOfPieces, type ContextPiece, changePart, pieceHashOf, type Share, sumTokens } from './piece.ts';
import { type RecallPiece, recallPiece } from './render/recall-block.ts';

/** What recall may take unless the budget says otherwise. */
export const RECALL_TOKENS = 2000;

/**
 * What the model sees: head, records of compacted ranges, messages, and messages recalled for the newest question. Pure. It
 * always fits, never tears a tool call from its result, and holds the newest question and every pin. Throws `head-too-large`
 * when what cannot be shortened is larger than the room.
 */
export function buildContext(
  state: ContextState,
  budget: Budget,
  options: ContextOptions = {},
): BuiltContext {
  const { room, torso, head, fitted, ...made } = fitContext(state, budget, options);
  const recall = recallFor(state, budget, fitted);
  const pieces = recall ? piecesOf(fitted.draft, recall.piece) : made.pieces;
  const tokens = corrected(head.tokens + sumTokens(pieces), budget.correct);
  const sizes = { tokens, window: room.window, reserve: room.reserve };
  return {
    instructions: head.instructions,
    messages: pieces.map(toMessage),
    parts: listParts(head.parts, pieces, sizes),
    ...sizes,
    maxOutput: maxOutputOf(budget, tokens),
    leftOut: fitted.leftOut.list(),
    recalled: (recall?.shown ?? []).map(toAddress),
    entries: entriesIn([...torso.standing, ...pieces.flatMap(({ sources }) => sources)]),
    steps: fitted.steps,
    prefix: prefixOf(head.instructions, state.tools, pieces),
    seams: findSeams(pieces),
  };
}

/** Recall takes only room that is left, so that it never changes anything else in the request. */
function recallFor(
  { recall = [] }: ContextState,
  { recallTokens = RECALL_TOKENS }: Budget,
  { tokensLeft, bytesLeft, leftOut }: Fitted,
): RecallPiece | undefined {
  if (recall.length === 0) return undefined;
  const made = recallPiece(recall, Math.min(recallTokens, tokensLeft));
  const fitting = made && bytesOfPieces([made.piece]) <= bytesLeft ? made : undefined;
  for (const found of recall) {
    if (!fitting?.shown.includes(found)) leftOut.add('recalled', 'over the budget', { id: found.entry });
  }
  return fitting;
}

function entriesIn(sources: readonly (Entry | undefined)[]): EntryId[] {
  const said = new Set(sources.filter((entry) => entry?.body.kind === 'message'));
  return [...said].map((entry) => entry!.id);
}

function toAddress({ session, entry, seq }: Recalled): BuiltContext['recalled'][number] {
  return { ...(session !== undefined && { session }), entry, seq };
}

/** Copies, so that adding a field to a message does not change a stored entry. A tokenizer counts them as the estimate does. */
function toMessage({ role, parts }: ContextPiece): ContextMessage {
  const content = parts.map((part) => changePart(part, (same) => ({ ...same })));
  return { role, content } as unknown as ContextMessage;
}

const SHARES: readonly Share[] = ['pinned', 'summary', 'messages', 'recall'];

/** Every part of the window by name, as the provider will count it; adds up to the window exactly. */
function listParts(
  head: ReadonlyMap<string, number>,
  pieces: readonly ContextPiece[],
  { tokens, window, reserve }: Pick<BuiltContext, 'tokens' | 'window' | 'reserve'>,
): BuiltContext['parts'] {
  const counts = new Map(head);
  for (const share of SHARES) counts.set(share, counts.get(share) ?? 0);
  for (const piece of pieces) counts.set(piece.share, counts.get(piece.share)! + piece.tokens);
  const names = [...counts.keys()];
  const shares = apportion([...counts.values()], tokens);
  return [
    ...names.map((part, index) => ({ part, tokens: shares[index]! })),
    { part: 'reserve', tokens: reserve },
    { part: 'free', tokens: window - reserve - tokens },
  ];
}

/** Whole numbers in these proportions that add up to `total`: what rounding leaves goes where most was lost. */
function apportion(counts: readonly number[], total: number): number[] {
  const sum = counts.reduce((all, count) => all + count, 0);
  if (sum === total) return [...counts];
  const exact = counts.map((count) => (sum === 0 ? 0 : (count * total) / sum));
  const shares = exact.map(Math.floor);
  const missing = total - shares.reduce((all, share) => all + share, 0);
  const byLoss = exact.map((value, index) => ({ index, loss: value - shares[index]! }));
  byLoss.sort((a, b) => b.loss - a.loss || a.index - b.index);
  for (const { index } of byLoss.slice(0, missing)) shares[index]! += 1;
  return shares;
}

/**
 * One hash after the instructions and tools, and one after each message, each over everything before it. Two requests
 * share a prompt cache as far as these agree.
 */
function prefixOf(
  instructions: string,
  tools: readonly ContextTool[] | undefined,
  pieces: readonly ContextPiece[],
): string[] {
  let last = short(JSON.stringify([instructions, tools ?? []]));
  const prefix = [last];
  for (const piece of pieces) {
    last = linkOf(last, piece);
    prefix.push(last);
  }
  return prefix;
}

// The same message after the same beginning has the same hash, so a request that goes on from the last one adds few.
const links = new WeakMap<Part, Pick<ContextPiece, 'role' | 'parts'> & { last: string; hash: string }>();

function linkOf(last: string, { role, parts }: ContextPiece): string {
  const [first] = parts;
  const known = first && links.get(first);
  if (known?.last === last && known.role === role && areSame(known.parts, parts)) return known.hash;
  const hash = short(parts.reduce((content, part) => `${content} ${pieceHashOf(part)}`, `${last} ${role}`));
  if (first) links.set(first, { last, role, parts, hash });
  return hash;
}

function areSame(a: readonly Part[], b: readonly Part[]): boolean {
  return a.length === b.length && a.every((part, index) => part === b[index]);
}

/**
 * Where a later request stops being a continuation of an earlier one: 0 is the head, n the n-th message. `undefined` when
 * one is the beginning of the other.
 */
export function firstDifference(a: readonly string[], b: readonly string[]): number | undefined {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) if (a[index] !== b[index]) return index;
  return undefined;
}

function short(text: string): string {
  return hash('sha1', text, 'hex').slice(0, 16);
}

/** Parts, counted backward from a mark, within which Anthropic finds the mark of an earlier request. */
const LOOK_BACK = 18;

function findSeams(pieces: readonly ContextPiece[]): Seams {
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
  pieces: readonly ContextPiece[],
  { question, turn }: { question: number; turn: number },
): number | undefined {
  const answer = pieces.findLastIndex(({ role }) => role === 'assistant');
  const [from, to] =
    answer > question ? [answer, pieces.length] : [lastQuestion(pieces, Math.max(0, question)), turn];
  if (from <= 0) return undefined;
  const added = pieces.slice(from, to).reduce((sum, { parts }) => sum + parts.length, 0);
  return added > LOOK_BACK ? from : undefined;
}

function lastQuestion(pieces: readonly ContextPiece[], end: number): number {
  return pieces.slice(0, end).findLastIndex(({ role, share }) => role === 'user' && share === 'messages');
}
