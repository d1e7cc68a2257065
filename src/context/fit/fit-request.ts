import { ThroughlineError } from '../../errors.ts';
import type { Entry, Part, Summary } from '../../record/index.ts';
import { isMedia } from '../../text/index.ts';
import { countText } from '../../tokens/index.ts';
import type { Budget, ContextOptions, ContextState, ContextTool, HeadPiece, Rung } from '../context.ts';
import { type ContextDraft, piecesOf, pinTokens, tokensOf } from '../draft.ts';
import { layoutMessages, type MessageLayout } from '../layout-messages.ts';
import { bytesOf, bytesOfPieces, type ContextPiece, itemsOf } from '../piece.ts';
import { isImage, withoutMedia } from '../render/render-media.ts';
import { createLeftOutTally, fitLadder, type LeftOutTally } from './fit-ladder.ts';
import { headTooLarge } from './head-too-large.ts';

export interface Fitted {
  readonly draft: ContextDraft;
  readonly steps: Rung[];
  readonly leftOut: LeftOutTally;
  readonly tokensLeft: number;
  readonly bytesLeft: number;
}

/**
 * A draft that fits in tokens, images and bytes. Bytes are nearly always a matter of images; when text alone has too many,
 * the same ladder is climbed with fewer tokens until the bytes fit too.
 */
function fitRequest(
  torso: MessageLayout,
  head: Head,
  { room, budget, digest }: { room: Room; budget: Budget; digest: ContextOptions['digest'] },
): Fitted {
  const fitting = { budget, digest: digest && once(digest) };
  // Nothing is summarised for a request that cannot go out anyway.
  const bare = torso.draft(head.tokens);
  const firm = bare.pins.reduce((sum, pin) => sum + pinTokens(pin), head.tokens + torso.leadTokens);
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
  torso: MessageLayout,
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

interface FittedContext {
  readonly room: Room;
  readonly torso: MessageLayout;
  readonly head: Head;
  readonly fitted: Fitted;
  /** The messages of the request, in order. A part without a source is a note about the request itself. */
  readonly pieces: readonly ContextPiece[];
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
  const whole = layoutMessages(state);
  // A block of the provider cannot be shortened; where it leaves no room for the rest, its record can.
  const torso = whole.leadTokens > room.limit / 2 ? layoutMessages(state, { native: false }) : whole;
  const head = layHead(state, torso.system);
  const fitted = fitRequest(torso, head, { room, budget, digest });
  return { room, torso, head, fitted, pieces: piecesOf(fitted.draft) };
}

interface Medium {
  readonly part: Part;
  readonly source: Entry;
  readonly pinned: boolean;
}

/**
 * Keeps images and bytes within what the provider takes, whatever the tokens say: the oldest images and files become
 * lines of text first. Pinned ones go last, but they do go: a request with too many of them is refused whole.
 */
function boundMedia(
  draft: ContextDraft,
  { maxImages, maxBytes, headBytes }: Pick<Budget, 'maxImages' | 'maxBytes'> & { headBytes: number },
  leftOut: LeftOutTally,
): boolean {
  if (maxImages === undefined && maxBytes === undefined) return false;
  const pieces = piecesOf(draft);
  const media = pieces.flatMap((piece) => mediaIn(piece, draft));
  if (media.length === 0) return false;
  const images = media.filter(({ part }) => isImage(part)).length;
  let extraImages = maxImages === undefined ? 0 : inSteps(images - maxImages, maxImages);
  let extraBytes =
    maxBytes === undefined ? 0 : inSteps(headBytes + bytesOfPieces(pieces) - maxBytes, maxBytes);
  const gone = new Set<Part>();
  for (const { part, source } of [
    ...media.filter(({ pinned }) => !pinned),
    ...media.filter(({ pinned }) => pinned),
  ]) {
    if (extraImages <= 0 && extraBytes <= 0) break;
    if (extraBytes <= 0 && !isImage(part)) continue;
    if (isImage(part)) extraImages--;
    extraBytes -= bytesOf(part);
    gone.add(part);
    leftOut.add(isImage(part) ? 'images' : 'files', 'over the limits of a request', source);
  }
  if (gone.size === 0) return false;
  draft.withoutMedia = gone;
  for (const block of draft.blocks) block.pieces = block.pieces.map((piece) => withoutMedia(piece, gone));
  return true;
}

function mediaIn({ parts, sources, share }: ContextPiece, { isPinned }: ContextDraft): Medium[] {
  return parts.flatMap((part, index) => {
    const source = sources[index];
    if (!source) return [];
    const pinned = share === 'pinned' || isPinned(source);
    const found = isMedia(part) ? [part] : itemsOf(part).filter(isMedia);
    return found.map((one) => ({ part: one, source, pinned }));
  });
}

/** In steps of a tenth of the limit, so that the rest of the request stays the same while a few more come. */
function inSteps(excess: number, limit: number): number {
  const step = Math.max(1, Math.floor(limit / 10));
  return excess <= 0 ? 0 : Math.ceil(excess / step) * step;
}

export interface Head {
  readonly instructions: string;
  /** By name, in order; pieces of the same name are counted together. */
  readonly parts: ReadonlyMap<string, number>;
  readonly tokens: number;
  readonly bytes: number;
}

/** Bytes that a request has besides its parts. */
const FRAME = 100;
/** Tokens that join a piece to the one before it. */
const JOINT = 2;

const counted = new WeakMap<object, number>();

/** Head pieces and tools. System messages at the very beginning of the log belong to it, as the part `system`. */
function layHead({ head, tools = [] }: ContextState, system: readonly string[]): Head {
  const pieces: HeadPiece[] = [
    ...head.filter(({ text }) => text !== ''),
    ...system.map((text) => ({ part: 'system', text })),
  ];
  const parts = new Map<string, number>(head.map(({ part }) => [part, 0]));
  const add = (part: string, tokens: number) => parts.set(part, (parts.get(part) ?? 0) + tokens);
  for (const piece of pieces) add(piece.part, countOnce(piece, () => countText(piece.text)) + JOINT);
  parts.delete('tools');
  add('tools', 0);
  for (const tool of tools) add('tools', countOnce(tool, () => countText(toolText(tool))) + JOINT);
  const instructions = pieces.map(({ text }) => text.toWellFormed()).join('\n\n');
  return {
    instructions,
    parts,
    tokens: [...parts.values()].reduce((sum, tokens) => sum + tokens, 0),
    bytes: tools.reduce((sum, tool) => sum + jsonBytes(tool), FRAME + jsonBytes(instructions)),
  };
}

function countOnce(key: object, count: () => number): number {
  let tokens = counted.get(key);
  if (tokens === undefined) {
    tokens = count();
    counted.set(key, tokens);
  }
  return tokens;
}

function toolText({ name, description, inputSchema }: ContextTool): string {
  return JSON.stringify({ name, description, inputSchema });
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export interface Room {
  readonly window: number;
  readonly reserve: number;
  /** Most local tokens that, corrected, fit into the window minus the reserve. */
  readonly limit: number;
}

const SHARE = 0.25;
const LEAST = 1000;
const MOST = 8000;

/**
 * How the window is divided between the request and the answer. The answer gets a quarter, at least 1,000 and at most
 * 8,000 tokens, no more than the model can write, and never more than half: a model whose output limit equals its
 * window, or a reserve of that size, still leaves room to ask something.
 */
export function planRoom({ window, outputLimit, reserve, correct }: Budget): Room {
  if (!(Number.isFinite(window) && window >= 2)) {
    throw new ThroughlineError(
      'usage',
      `A window of ${window} tokens holds no question and answer. Give the model's window as a number of tokens, 2 or more.`,
      { details: { window: String(window) } },
    );
  }
  const whole = Math.floor(window);
  const asked = reserve ?? Math.min(Math.max(whole * SHARE, LEAST), MOST);
  const writable = outputLimit !== undefined && outputLimit > 0 ? outputLimit : Number.POSITIVE_INFINITY;
  const kept = Math.max(1, Math.floor(Math.min(asked, writable, whole / 2)));
  return { window: whole, reserve: kept, limit: beforeCorrection(whole - kept, correct) };
}

/** The most output to ask for after a request of so many tokens. */
export function maxOutputOf({ window, outputLimit }: Budget, tokens: number): number {
  const left = Math.floor(window) - tokens;
  return outputLimit !== undefined && outputLimit > 0 ? Math.min(Math.floor(outputLimit), left) : left;
}

export function corrected(tokens: number, correct: Budget['correct']): number {
  return correct ? Math.max(0, Math.ceil(correct(tokens))) : tokens;
}

/** The largest count that is still within `limit` when it is corrected. */
function beforeCorrection(limit: number, correct: Budget['correct']): number {
  if (!correct) return limit;
  let low = 0;
  let high = limit * 16;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (corrected(middle, correct) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
