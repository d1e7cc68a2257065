import type { Entry, Part } from '../../record/index.ts';
import { isMedia } from '../../text/index.ts';
import { type ContextDraft, leaveOut, questionIndex, tokensOf } from '../draft.ts';
import type { Block } from '../layout-blocks.ts';
import {
  type ContextPiece,
  countParts,
  isReasoning,
  partTokens,
  sumTokens,
  withoutProviderFields,
  withParts,
} from '../piece.ts';
import { ANY_ID } from '../render/label-text.ts';
import { placeholder } from '../render/render-media.ts';
import { cutPart, nameEntry, toText, waterLevel } from './cut-part.ts';
import { cutText } from './cut-text.ts';
import type { Climb } from './fit-ladder.ts';
import { gainOf } from './leave-out-turns.ts';
import { makeGaps } from './make-gaps.ts';

/** The least rest of a part. */
const LEAST = 64;

/**
 * The last rung: only the newest turn is left. Its question stays word for word unless it alone is larger than the room;
 * the newest answers stay, with their longest parts cut; older answers of the turn leave with their results.
 */
export const cutMessages: Climb = (draft, { limit, digest, leftOut }) => {
  const before = tokensOf(draft);
  draft.gaps = new Map();
  for (const block of draft.blocks) if (isCheaperAsPin(draft, block)) leaveOut(draft, block);
  const kept = tokensOf(draft);
  const question = draft.blocks[questionIndex(draft)];
  const answers = answersOf(draft, question);
  const answered = sumTokens(answers.flatMap(({ pieces }) => pieces));
  const asked = question ? sumTokens(question.pieces) : 0;
  const room = limit - (kept - answered - asked);
  const sizes = answers.map((block) => sizesOf(draft, block));
  // Pins of the answers stay, whatever is asked.
  const firm = sizes.reduce((sum, size) => sum + leastOf(size), 0);

  if (question && asked > room - firm) {
    const cut = cutQuestion(question, {
      maxTokens: answers.length > 0 ? Math.min(Math.floor(room * 0.75), room - firm) : room,
      draft,
    });
    if (cut) leftOut.add('text', 'cut to fit', question.entries, asked - sumTokens(question.pieces));
  }
  fitAnswers(draft, answers, {
    sizes,
    room: room - (question ? sumTokens(question.pieces) : 0),
    onCut: (block, tokens) => leftOut.add('text', 'cut to fit', block.entries, tokens),
    onLeave: (block, tokens) => leftOut.add('answers', 'left out to fit', block.entries, tokens),
  });
  sayWhatIsGone(draft, { limit, digest });
  return tokensOf(draft) < before;
};

/** A pinned record has a longer label than a pin. */
function isCheaperAsPin({ isPinned }: ContextDraft, block: Block): boolean {
  return block.kind === 'record' && !block.gone && gainOf(block, isPinned) > 0;
}

/** What follows the newest question, and notes of the system that came with it. */
function answersOf({ blocks }: ContextDraft, question: Block | undefined): Block[] {
  const turn = question?.turn ?? blocks.at(-1)?.turn ?? 0;
  return blocks.filter(
    (block) => !block.gone && block.turn === turn && (block.kind === 'exchange' || block.kind === 'note'),
  );
}

/** What an answer takes at the least. */
interface Sizes {
  /** In its place, with its parts cut. */
  readonly cut: number;
  /** Left out: its pins have to be kept elsewhere then. */
  readonly pins: number;
}

function sizesOf(draft: ContextDraft, block: Block): Sizes {
  return {
    cut: sumTokens(cutBlock(draft, block, LEAST)),
    pins: sumTokens(block.pieces) - gainOf(block, draft.isPinned),
  };
}

function leastOf({ cut, pins }: Sizes): number {
  return Math.min(cut, pins);
}

interface Fitting {
  readonly sizes: readonly Sizes[];
  readonly room: number;
  onCut(block: Block, tokens: number): void;
  onLeave(block: Block, tokens: number): void;
}

function fitAnswers(draft: ContextDraft, answers: readonly Block[], fitting: Fitting): void {
  const { sizes, room, onCut, onLeave } = fitting;
  let others = sizes.reduce((sum, size) => sum + leastOf(size), 0);
  let first = answers.length;
  let used = 0;
  while (first > 0 && used + sizes[first - 1]!.cut + others - leastOf(sizes[first - 1]!) <= room) {
    first--;
    used += sizes[first]!.cut;
    others -= leastOf(sizes[first]!);
  }
  // An older one whose pins take more elsewhere stays as well.
  const leaves = (_: unknown, index: number) => index < first && sizes[index]!.pins < sizes[index]!.cut;
  for (const block of answers.filter(leaves)) {
    onLeave(block, sumTokens(block.pieces));
    leaveOut(draft, block);
  }

  const held = sizes.filter(leaves).reduce((sum, { pins }) => sum + pins, 0);
  const kept = answers.filter((_, index) => !leaves(_, index));
  const before = kept.map((block) => sumTokens(block.pieces));
  let level = levelFor(draft, kept, room - held);
  const whole = kept.map(({ pieces }) => pieces);
  for (;;) {
    for (const [index, block] of kept.entries())
      block.pieces = cutBlock(draft, { ...block, pieces: whole[index]! }, level);
    if (level === LEAST || sumTokens(kept.flatMap(({ pieces }) => pieces)) <= room - held) break;
    level = Math.max(LEAST, Math.floor(level * 0.8));
  }
  for (const [index, block] of kept.entries()) {
    const lost = before[index]! - sumTokens(block.pieces);
    if (lost > 0) onCut(block, lost);
  }
}

function levelFor({ isPinned }: ContextDraft, blocks: readonly Block[], room: number): number {
  const sizes: number[] = [];
  let firm = 0;
  for (const { parts, sources } of blocks.flatMap(({ pieces }) => pieces)) {
    for (const [index, part] of parts.entries()) {
      const tokens = partTokens(part);
      if (isPinned(sources[index]!)) firm += tokens;
      else sizes.push(tokens);
    }
  }
  return Math.max(LEAST, waterLevel(sizes, room - firm));
}

/** Every part of a block in at most so many tokens; what cannot be cut and is not needed leaves. */
function cutBlock({ isPinned }: ContextDraft, block: Block, level: number): readonly ContextPiece[] {
  return block.pieces.flatMap((piece) => {
    const large = piece.parts.map(
      (part, index) => partTokens(part) > level && !isPinned(piece.sources[index]!),
    );
    if (!large.includes(true)) return [piece];
    const ran = new Set(
      piece.parts.flatMap((part, index) =>
        large[index] && isProviderPart(piece, part) ? [part.toolCallId] : [],
      ),
    );
    const kept = piece.parts.flatMap((part, index): { part: Part; source: Entry | undefined }[] => {
      const source = piece.sources[index]!;
      // Reasoning and ids refer to the original text, which is no longer sent.
      if (isReasoning(part) || (large[index] && part.type === 'custom')) return [];
      if (ran.has(part.toolCallId) && isProviderPart(piece, part)) return [];
      const bare = withoutProviderFields(part);
      return [{ part: large[index] ? cutPart(bare, level, source) : bare, source }];
    });
    if (kept.length === 0) return [];
    const parts = kept.map(({ part }) => part);
    const sources = kept.map(({ source }) => source);
    return [withParts(piece, parts, sources)];
  });
}

/** A call that the provider ran, or its result: both stand in the assistant's message. */
function isProviderPart({ role }: ContextPiece, part: Part): boolean {
  return role === 'assistant' && (part.type === 'tool-result' || part.providerExecuted === true);
}

/** A digest or a line about the answers that left, if there is room for one. */
function sayWhatIsGone(
  draft: ContextDraft,
  { limit, digest }: { limit: number; digest: Parameters<typeof makeGaps>[1]['digest'] },
): void {
  const room = limit - tokensOf(draft);
  draft.gaps = makeGaps(draft, { digest, maxTokens: Math.min(room, Math.floor(limit / 10)) });
  if (tokensOf(draft) > limit) draft.gaps = new Map();
}

/**
 * The newest question in at most so many tokens: its files go first, oldest first, then its longest texts are cut. False
 * if it is pinned, or if not even a reference fits.
 */
function cutQuestion(
  block: Block,
  { maxTokens, draft }: { maxTokens: number; draft: ContextDraft },
): boolean {
  const [piece] = block.pieces;
  if (!piece || block.entries.some(draft.isPinned)) return false;
  const cut = cutTexts(withoutMedia(piece, maxTokens), maxTokens) ?? onlyBeginning(piece, maxTokens);
  if (cut) block.pieces = [cut];
  return cut !== undefined;
}

function withoutMedia(piece: ContextPiece, maxTokens: number): ContextPiece {
  let tokens = piece.tokens;
  const parts = piece.parts.map((part, index) => {
    if (tokens <= maxTokens || !isMedia(part)) return part;
    const stub = placeholder(part, piece.sources[index]!);
    tokens += partTokens(stub) - partTokens(part);
    return stub;
  });
  return withParts(piece, parts);
}

function cutTexts(piece: ContextPiece, maxTokens: number): ContextPiece | undefined {
  if (piece.tokens <= maxTokens) return piece;
  const sizes = piece.parts.map((part) => partTokens(part));
  for (let level = waterLevel(sizes, maxTokens); level > 32; level = Math.floor(level * 0.8)) {
    const parts = piece.parts.map((part, index) =>
      sizes[index]! > level ? cutPart(part, level, piece.sources[index]!) : part,
    );
    const cut = withParts(piece, parts);
    if (cut.tokens <= maxTokens) return cut;
  }
  return undefined;
}

/** Too many parts for so little room: their texts as one. */
function onlyBeginning(piece: ContextPiece, maxTokens: number): ContextPiece | undefined {
  const entry = piece.sources[0]!;
  const any = { ...entry, id: ANY_ID };
  const texts = piece.parts.map((part) =>
    part.type === 'text' ? `${part.text}`.replaceAll(entry.id, ANY_ID) : placeholder(part, any).text,
  );
  const frame = countParts([]);
  const note = `[Cut to fit. Entry ${ANY_ID}]`;
  const text = cutText(texts.join('\n'), { maxTokens: maxTokens - frame, note });
  const parts: Part[] = text === undefined ? [] : [nameEntry(text, entry, toText)];
  const cut = withParts(piece, parts, [entry]);
  return parts.length > 0 && cut.tokens <= maxTokens ? cut : undefined;
}
