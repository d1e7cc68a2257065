import type { Entry, EntryId, Part } from '../../record/index.ts';
import type { ContextOptions, LeftOut, Rung } from '../context.ts';
import { type ContextDraft, pinTokens, questionIndex, tokensOf } from '../draft.ts';
import type { Block } from '../layout-blocks.ts';
import { countAs, countParts, partTokens, sumTokens, withParts } from '../piece.ts';
import { ANY_ID } from '../render/label-text.ts';
import { mergeRecords, shortRecordPiece } from '../render/record-block.ts';
import type { Output } from '../render/render-output.ts';
import { cutMessages } from './cut-messages.ts';
import { cutPart, waterLevel } from './cut-part.ts';
import { leaveOutTurns } from './leave-out-turns.ts';

const SHARE = 0.25;
const LEAST = 160;

/** Records give up three quarters of their length, oldest first. */
const shortenSummaries: Climb = (draft, { need, leftOut }) => {
  let freed = 0;
  for (const block of draft.blocks) {
    if (freed >= need) break;
    if (block.gone || !block.recorded || block.entries.some(draft.isPinned)) continue;
    const tokens = sumTokens(block.pieces);
    const short = shortRecordPiece(block.recorded, Math.max(LEAST, Math.floor(tokens * SHARE)));
    if (!short || short.tokens >= tokens) continue;
    leftOut.add('summaries', 'shortened to fit', block.entries, tokens - short.tokens);
    freed += tokens - short.tokens;
    block.pieces = [short];
  }
  return freed > 0;
};

/** All records become one, as long as there is room for; older lines go first, and without room it goes as a whole. */
const mergeSummaries: Climb = (draft, { limit, step, leftOut }) => {
  const isFree = (block: Block) => block.recorded && !block.gone && !block.entries.some(draft.isPinned);
  const blocks = draft.blocks.filter(isFree);
  const records = draft.blocks.flatMap(
    (block) => (isFree(block) ? block.recorded : draft.gaps.get(block)?.recorded) ?? [],
  );
  if (records.length === 0) return false;
  const before = tokensOf(draft);
  for (const block of blocks) block.gone = true;
  draft.gaps = new Map();
  draft.merged = undefined;
  const room = limit - tokensOf(draft);
  const merged = mergeRecords(records);
  // In whole steps while there is room for one, so that the record does not change with every message.
  draft.merged = merged && shortRecordPiece(merged, room > step ? room - (room % step) : room);
  const reason = draft.merged ? 'merged to fit' : 'left out to fit';
  leftOut.add(
    'summaries',
    reason,
    blocks.flatMap(({ entries }) => entries),
    before - tokensOf(draft),
  );
  return true;
};

/** Stubs cost some 40 tokens, so outputs that are hardly longer stay. */
const STUB_OUTPUTS_LEAST = 80;

/**
 * Outputs that the model has read become a line that says where they are, oldest first. Pinned ones stay, and so does what
 * the model has not seen yet.
 */
const stubOutputs: Climb = (draft, { need, leftOut }) => {
  const unread = unreadBlock(draft);
  let freed = 0;
  for (const block of draft.blocks) {
    if (freed >= need) break;
    if (block.gone || block === unread) continue;
    freed += stubBlock(block, {
      need: need - freed,
      isPinned: draft.isPinned,
      onStub: (entry, tokens) => leftOut.add('tool outputs', 'replaced by a reference to fit', entry, tokens),
    });
  }
  return freed > 0;
};

interface Stubbing {
  readonly need: number;
  readonly isPinned: (entry: Entry) => boolean;
  onStub(entry: Entry, tokens: number): void;
}

function stubBlock(block: Block, { need, isPinned, onStub }: Stubbing): number {
  const results = block.pieces.at(-1);
  if (results?.role !== 'tool') return 0;
  let freed = 0;
  const parts = results.parts.map((part, index) => {
    const source = results.sources[index]!;
    const tokens = results.parts.length === 1 ? results.tokens : countParts([part]);
    if (freed >= need || tokens < STUB_OUTPUTS_LEAST || isPinned(source)) return part;
    const stub = stubOf(part, source, tokens);
    const gain = tokens - countParts([stub]);
    if (gain <= 0) return part;
    onStub(source, gain);
    freed += gain;
    return stub;
  });
  if (freed > 0) block.pieces = [...block.pieces.slice(0, -1), withParts(results, parts)];
  return freed;
}

function stubOf({ type, toolCallId, toolName, output }: Part, { id }: Entry, tokens: number): Part {
  const failed = (output as Output).type.startsWith('error');
  const naming = (entry: EntryId): Part => {
    const value = `[Output of about ${tokens} tokens left out to fit. Entry ${entry} has it.]`;
    return { type, toolCallId, toolName, output: { type: failed ? 'error-text' : 'text', value } };
  };
  return countAs(naming(id), naming(ANY_ID));
}

/** The newest answer, if its tool results are the end of the conversation: the model has not read them yet. */
function unreadBlock(draft: ContextDraft): Block | undefined {
  const last = draft.blocks.findLast(({ gone, kind }) => !gone && kind !== 'note' && kind !== 'record');
  return last?.kind === 'exchange' && last.pieces.at(-1)?.role === 'tool' ? last : undefined;
}

/**
 * Unread results cannot become stubs, or the model would ask again. But one huge result must not push the whole conversation
 * out either: together they get half of the room, and the largest are cut first.
 */
const cutUnreadOutputs: Climb = (draft, { limit, leftOut }) => {
  const block = unreadBlock(draft);
  const results = block?.pieces.at(-1);
  if (!block || !results) return false;
  const question = draft.blocks[questionIndex(draft)];
  const taken = draft.pins.reduce(
    (sum, pin) => sum + pinTokens(pin),
    draft.fixedTokens + (question?.pieces[0]?.tokens ?? 0),
  );
  const room = Math.floor((limit - taken) / 2);
  if (results.tokens <= room || room <= 0) return false;

  const sizes = results.parts.map((part) => partTokens(part));
  const isFree = (index: number) => !draft.isPinned(results.sources[index]!);
  const level = waterLevel(
    sizes.filter((_, index) => isFree(index)),
    room,
  );
  const parts = results.parts.map((part, index) =>
    isFree(index) && sizes[index]! > level ? cutPart(part, level, results.sources[index]!) : part,
  );
  const cut = withParts(results, parts);
  if (cut.tokens >= results.tokens) return false;
  leftOut.add(
    'tool outputs',
    'cut to fit',
    results.sources.flatMap((source) => source ?? []),
    results.tokens - cut.tokens,
  );
  block.pieces = [...block.pieces.slice(0, -1), cut];
  return true;
};

/** Makes the draft shorter, by `need` tokens if it can; false if it changed nothing. */
export type Climb = (draft: ContextDraft, climbing: Climbing) => boolean;

interface Climbing {
  /** Most tokens the request may have. */
  readonly limit: number;
  readonly need: number;
  /** Room is freed in multiples of this. */
  readonly step: number;
  readonly digest: ContextOptions['digest'];
  readonly leftOut: LeftOutTally;
}

/**
 * Shortens a draft until it fits, each rung only if those before were not enough. Nothing depends on earlier requests,
 * so room is freed in steps of a tenth: the same messages stay shortened while the conversation grows by that much, and
 * the prompt cache with them. The caller sees whether it fits in the end.
 */
export function fitLadder(
  draft: ContextDraft,
  { limit, digest, leftOut }: { limit: number; digest: ContextOptions['digest']; leftOut: LeftOutTally },
): Rung[] {
  const steps: Rung[] = [];
  const step = Math.max(1, Math.floor(limit / 10));
  for (const [rung, climb] of RUNGS) {
    for (;;) {
      const excess = tokensOf(draft) - limit;
      if (!(excess > 0)) return steps;
      const need = Math.ceil(excess / step) * step;
      if (!climb(draft, { limit, need, step, digest, leftOut })) break;
      const used = rung === 'digest-turns' && !digest ? 'leave-out-turns' : rung;
      if (steps.at(-1) !== used) steps.push(used);
    }
  }
  return steps;
}

const RUNGS: readonly (readonly [Rung, Climb])[] = [
  ['cut-unread-outputs', cutUnreadOutputs],
  ['stub-outputs', stubOutputs],
  ['digest-turns', leaveOutTurns],
  ['shorten-summaries', shortenSummaries],
  ['merge-summaries', mergeSummaries],
  ['cut-messages', cutMessages],
];

interface Named {
  readonly id: EntryId;
}

/** Adds up what the request does not hold, by kind and reason. */
export interface LeftOutTally {
  add(what: string, reason: string, entries: Named | readonly Named[], tokens?: number): void;
  list(): LeftOut[];
}

export function createLeftOutTally(): LeftOutTally {
  const rows = new Map<string, { what: string; reason: string; entries: Set<string>; tokens: number }>();
  return {
    add(what, reason, entries, tokens = 0) {
      const key = `${what}: ${reason}`;
      let row = rows.get(key);
      if (!row) {
        row = { what, reason, entries: new Set(), tokens: 0 };
        rows.set(key, row);
      }
      if ('id' in entries) row.entries.add(entries.id);
      else for (const { id } of entries) row.entries.add(id);
      row.tokens += tokens;
    },
    list: () =>
      [...rows.values()].map(({ what, reason, entries, tokens }) => ({
        what,
        entries: entries.size,
        tokens,
        reason,
      })),
  };
}
