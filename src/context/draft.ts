import { type Entry, type EntryId, type Part, summaryIn } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import { isMedia, type SayOptions, sayMessage } from '../text/index.ts';
import type { Block } from './layout-blocks.ts';
import { type ContextPiece, countAs, countedAs, countParts, notePiece, sumTokens } from './piece.ts';
import { ANY_ID, labelPin, NO_BEGINNING, NOTHING_SHOWN, PINS_LEAD } from './render/label-text.ts';
import type { Recorded } from './render/record-block.ts';
import { withoutMedia } from './render/render-media.ts';
import { renderMessage } from './render/render-message.ts';

/** The text in place of removed blocks. */
export interface Gap {
  readonly piece: ContextPiece;
  readonly recorded?: Recorded;
}

/** A request while it is being fitted. The rungs of the ladder change it; the pieces in it are replaced, not changed. */
export interface ContextDraft {
  /** Of head and tools. */
  readonly fixedTokens: number;
  readonly blocks: readonly Block[];
  /** Whether anything was said at all; an empty session has nothing to send. */
  readonly began: boolean;
  readonly isPinned: (entry: Entry) => boolean;
  /** A summary by the model's own provider, which reads nothing before it. */
  readonly lead?: ContextPiece;
  /** Pinned entries that are not in the conversation, or not any more. */
  pins: readonly Entry[];
  /** By the first block of each run that is gone. */
  gaps: ReadonlyMap<Block, Gap>;
  /** All records as one, in front. */
  merged?: ContextPiece | undefined;
  /** Images and files that are over the limits of a request. */
  withoutMedia?: ReadonlySet<Part>;
}

/** The messages of the request, in order. */
export function piecesOf(draft: ContextDraft, recall?: ContextPiece): ContextPiece[] {
  const { blocks, gaps, merged, lead } = draft;
  const pieces: ContextPiece[] = lead ? [lead] : [];
  const pins = pinPiece(draft.pins);
  if (pins) pieces.push(draft.withoutMedia ? withoutMedia(pins, draft.withoutMedia) : pins);
  if (merged) pieces.push(merged);

  const question = questionIndex(draft);
  const answers: ContextPiece[] = [];
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
  if (lead) return [notePiece('summary', NO_BEGINNING), lead, ...joinAnswers(pieces.slice(1))];
  if (pieces[0]!.role !== 'user') pieces.unshift(notePiece('messages', NO_BEGINNING));
  return joinAnswers(pieces);
}

export function tokensOf(draft: ContextDraft): number {
  return draft.fixedTokens + sumTokens(piecesOf(draft));
}

/** Where the newest question stands: the last thing a user said that is still here. -1 if there is none. */
export function questionIndex({ blocks }: ContextDraft): number {
  return blocks.findLastIndex(({ kind, gone }) => kind === 'asked' && !gone);
}

/** Lets a block go. Pinned messages in it stay, word for word, with the other pins. */
export function leaveOut(draft: ContextDraft, block: Block): void {
  block.gone = true;
  const pinned = block.entries.filter(draft.isPinned);
  if (pinned.length > 0) draft.pins = [...draft.pins, ...pinned];
}

/** Two answers in a row become one message: some providers refuse a call that does not follow a question or a result. */
function joinAnswers(pieces: readonly ContextPiece[]): ContextPiece[] {
  const joined: ContextPiece[] = [];
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

interface Pin {
  readonly parts: readonly Part[];
  readonly tokens: number;
}

const cache = new WeakMap<Entry, Pin>();
const LEAD: Part = { type: 'text', text: PINS_LEAD };

/**
 * The pinned entries that no longer stand in the conversation, word for word, as one message of labelled history: a
 * pinned tool output must not speak with the system's voice. In the order they were said.
 */
function pinPiece(entries: readonly Entry[]): ContextPiece | undefined {
  if (entries.length === 0) return undefined;
  const pins = entries.toSorted((a, b) => a.seq - b.seq).map((entry) => ({ entry, ...pinOf(entry) }));
  return {
    role: 'user',
    share: 'pinned',
    parts: [LEAD, ...pins.flatMap(({ parts }) => parts)],
    sources: [undefined, ...pins.flatMap(({ entry, parts }) => parts.map(() => entry))],
    tokens: pins.reduce((sum, { tokens }) => sum + tokens, countParts([LEAD])),
  };
}

/** What it costs to keep an entry as a pin. */
export function pinTokens(entry: Entry): number {
  return pinOf(entry).tokens;
}

function pinOf(entry: Entry): Pin {
  let pin = cache.get(entry);
  if (!pin) {
    const parts = pinParts(entry);
    pin = { parts, tokens: countParts(parts) };
    cache.set(entry, pin);
  }
  return pin;
}

function pinParts(entry: Entry): readonly Part[] {
  const { body } = entry;
  if (body.kind !== 'message') {
    const held = summaryIn(body);
    return [labelled(entry, body.kind, held ? renderSummary(held) : JSON.stringify(body))];
  }
  const rendered = renderMessage(entry, body, false);
  const { parts } = rendered;
  const like = sayMessage({ parts: parts.map(countedAs) }, WORDING);
  return [
    labelled(entry, body.role, sayMessage(rendered, WORDING), like),
    ...(body.role === 'user' ? parts.filter(isMedia) : []),
  ];
}

const WORDING: SayOptions = {
  call: ({ name, input }) => `Called ${name} with ${input}`,
  result: ({ name, output }) => `Result of ${name}:\n${output}`,
};

function labelled(entry: Entry, who: string, said: string, like = said): Part {
  const naming = (id: EntryId, text: string): Part => {
    const label = labelPin({ ...entry, id }, who);
    return { type: 'text', text: (text === '' ? label : `${label}\n${text}`).toWellFormed() };
  };
  return countAs(naming(entry.id, said), naming(ANY_ID, like));
}
