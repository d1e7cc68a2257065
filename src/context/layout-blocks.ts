import type { Entry, EntryId, Part } from '../record/index.ts';
import { type ContextPiece, countAs, countedAs, countParts, isReasoning } from './piece.ts';
import { ANY_ID, labelSystemNote } from './render/label-text.ts';
import type { Paired } from './render/pair-tools.ts';
import { acknowledgementPiece, type Recorded, recordOf } from './render/record-block.ts';

/** What stays or goes together: a question, an answer with its tool results, a note of the system, or a record. */
export interface Block {
  readonly kind: 'asked' | 'exchange' | 'note' | 'record';
  /** Counts the questions: a turn is a question and what follows it. 0 is what stands before the first. */
  readonly turn: number;
  readonly entries: readonly Entry[];
  readonly recorded?: Recorded;
  /** The ladder puts shorter ones in their place. */
  pieces: readonly ContextPiece[];
  /** Not in the request any more. */
  gone: boolean;
}

/** The frontier as blocks, in order. `paired` holds its visible messages, without those that went into the head. */
export function layoutBlocks(
  frontier: readonly Entry[],
  paired: readonly Paired[],
  { model, isHidden }: { model: string | undefined; isHidden: (entry: Entry) => boolean },
): Block[] {
  const blocks: Block[] = [];
  let turn = 0;
  let next = 0;
  for (const entry of frontier) {
    const one = paired[next]?.spoken.entry === entry ? paired[next++] : undefined;
    if (one) {
      if (one.spoken.role === 'user') turn++;
      const block = messageBlock(one, turn);
      if (block.pieces.length > 0) blocks.push(block);
      continue;
    }
    const made = isHidden(entry) ? undefined : recordOf(entry);
    if (!made) continue;
    const said = acknowledgementPiece(entry, model);
    blocks.push({
      kind: 'record',
      turn,
      entries: [entry],
      recorded: made.recorded,
      pieces: said ? [made.piece, said] : [made.piece],
      gone: false,
    });
  }
  return blocks;
}

function messageBlock({ spoken, parts, results }: Paired, turn: number): Block {
  const { entry, role, rendered } = spoken;
  if (role === 'system')
    return { kind: 'note', turn, entries: [entry], pieces: systemNote(entry, parts), gone: false };
  if (role === 'user') {
    const piece = pieceOf('user', parts, { entry, tokens: rendered.tokens });
    return { kind: 'asked', turn, entries: [entry], pieces: [piece], gone: false };
  }
  const said = withoutTrailingReasoning(parts);
  const tokens = said.length === rendered.parts.length ? rendered.tokens : countParts(said);
  const pieces = said.length === 0 ? [] : [pieceOf('assistant', said, { entry, tokens })];
  const sources = new Set([entry, ...results.map(({ source }) => source)]);
  return {
    kind: 'exchange',
    turn,
    entries: [...sources],
    pieces: results.length === 0 ? pieces : [...pieces, resultsPiece(results)],
    gone: false,
  };
}

function pieceOf(
  role: ContextPiece['role'],
  parts: readonly Part[],
  { entry, tokens }: { entry: Entry; tokens: number },
): ContextPiece {
  return { role, share: 'messages', parts, sources: parts.map(() => entry), tokens };
}

function resultsPiece(results: Paired['results']): ContextPiece {
  return {
    role: 'tool',
    share: 'messages',
    parts: results.map(({ part }) => part),
    sources: results.map(({ source }) => source),
    tokens: results.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/** System messages are only allowed before the conversation, so a later one becomes a labelled note. */
function systemNote(entry: Entry, parts: readonly Part[]): readonly ContextPiece[] {
  if (parts.length === 0) return [];
  const naming = (id: EntryId, said: readonly Part[]): Part => ({
    type: 'text',
    text: labelSystemNote(id, said.map(({ text }) => text).join('\n')),
  });
  const noted = [countAs(naming(entry.id, parts), naming(ANY_ID, parts.map(countedAs)))];
  return [pieceOf('user', noted, { entry, tokens: countParts(noted) })];
}

/** Reasoning that nothing follows is refused: it belongs to an answer that is not there. */
function withoutTrailingReasoning(parts: readonly Part[]): readonly Part[] {
  const last = parts.findLastIndex((part) => !isReasoning(part));
  return last === parts.length - 1 ? parts : parts.slice(0, last + 1);
}
