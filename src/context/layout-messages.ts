import { createHash } from 'node:crypto';
import {
  type Entry,
  isHidden,
  isMarked,
  isPinned,
  isRef,
  type Message,
  type NativeBlock,
  nativeBlockIn,
  type Part,
  standingInstructions,
} from '../record/index.ts';
import type { ContextState } from './context.ts';
import type { ContextDraft } from './draft.ts';
import type { LeftOutTally } from './fit/fit-ladder.ts';
import { type Block, layoutBlocks } from './layout-blocks.ts';
import { type ContextPiece, changePart, countParts, isSameModel } from './piece.ts';
import { type Paired, pairTools, type Result, type Spoken } from './render/pair-tools.ts';
import { renderMessage } from './render/render-message.ts';

export interface MessageLayout {
  /** Texts of the system messages at the very beginning, which belong to the head. */
  readonly system: readonly string[];
  /** Those system messages. */
  readonly standing: readonly Entry[];
  /** Tokens of the summary by the provider that stands first. */
  readonly leadTokens: number;
  /** A fresh draft: the ladder changes the one it is given. */
  draft(fixedTokens: number): ContextDraft;
  /** Entries that are never sent, however much room there is. */
  tell(leftOut: LeftOutTally): void;
}

/** The conversation as it can be sent, before it is made to fit. */
export function layoutMessages(
  { frontier, pinned, marks, model }: ContextState,
  { native = true }: { readonly native?: boolean } = {},
): MessageLayout {
  const hides = (entry: Entry) => isHidden(marks, entry);
  const spoken = frontier.flatMap((entry) =>
    entry.body.kind === 'message' ? [speak(entry, entry.body, { model, hidden: hides(entry) })] : [],
  );
  const standing = new Set(standingInstructions(frontier));
  const leading = new Set(spoken.filter(({ entry }) => standing.has(entry)));
  const { paired, unpaired } = pairTools(spoken.filter((one) => !leading.has(one)));
  const laid = layoutBlocks(frontier, withSendIds(paired), { model, isHidden: hides });
  const lead = native ? findNativeLead({ frontier, model }, hides) : undefined;
  const question = laid.findLast(({ kind }) => kind === 'asked');
  const known = laid.filter((block) => block !== question && lead && block.entries.every(lead.holds));
  const blocks = laid.filter((block) => !known.includes(block));
  const bare = new Set(frontier.map(({ id }) => id));
  // A pinned result whose call is gone has no place among the messages, but it is pinned.
  const placed = new Set(blocks.flatMap(({ entries }) => entries));
  const stranded = unpaired.flatMap(({ entry }) =>
    isPinned(marks, entry) && !placed.has(entry) ? [entry] : [],
  );
  const covered = pinned.filter((entry) => !bare.has(entry.id) && !hides(entry));
  const dropped = known.flatMap(({ entries }) => entries.filter((entry) => isPinned(marks, entry)));
  const pins = [...new Set([...covered, ...stranded, ...dropped])];

  return {
    system: [...leading].flatMap(({ rendered, hidden }) =>
      hidden ? [] : [rendered.parts.map(({ text }) => text as string).join('\n')],
    ),
    leadTokens: lead?.piece.tokens ?? 0,
    standing: [...leading].flatMap(({ entry, hidden }) => (hidden ? [] : [entry])),
    draft: (fixedTokens) => ({
      fixedTokens,
      ...(lead && { lead: lead.piece }),
      began: frontier.length > 0,
      blocks: blocks.map((block): Block => ({ ...block })),
      isPinned: (entry) => isPinned(marks, entry),
      pins,
      gaps: new Map(),
    }),
    tell(leftOut) {
      for (const entry of frontier) {
        if (!hides(entry)) continue;
        const isRemoved = isMarked(marks.removed, entry, { compactions: 'by-cover' });
        leftOut.add('entries', isRemoved ? 'removed' : 'excluded', entry, entry.tokens);
      }
      for (const { entry, rendered, hidden } of spoken) {
        if (hidden) continue;
        const lost = Math.max(0, entry.tokens - rendered.tokens);
        for (const [index, { what, reason }] of rendered.dropped.entries()) {
          leftOut.add(what, reason, entry, index === 0 ? lost : 0);
        }
      }
      for (const { entry, reason, tokens } of unpaired) leftOut.add('tool results', reason, entry, tokens);
    },
  };
}

/** The summary that the model's own provider made. It reads nothing that stands before it. */
interface NativeLead {
  readonly piece: ContextPiece;
  /** Whether an entry is in it: that entry is not sent. */
  holds(entry: Entry): boolean;
}

/**
 * The newest summary by the provider that this very model can be given back. Any other model gets the text of the record, as of
 * every compaction.
 */
function findNativeLead(
  { frontier, model }: Pick<ContextState, 'frontier'> & { readonly model: string | undefined },
  isHidden: (entry: Entry) => boolean,
): NativeLead | undefined {
  if (model === undefined) return undefined;
  for (const entry of frontier.toReversed()) {
    const { body } = entry;
    const block = body.kind === 'compaction' && !isHidden(entry) ? nativeBlockIn(body) : undefined;
    if (block?.model === model && !holdsRef(block.part)) return leadOf(entry, block);
  }
  return undefined;
}

function leadOf(entry: Entry, { part, upTo }: NativeBlock): NativeLead {
  const parts = [part];
  return {
    piece: { role: 'assistant', share: 'summary', parts, sources: [entry], tokens: countParts(parts) },
    holds: ({ seq, body }) => (body.kind === 'compaction' ? body.covers.to : seq) <= upTo,
  };
}

function holdsRef(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isRef(value as Part) || Object.values(value).some(holdsRef);
}

function speak(
  entry: Entry,
  body: Message,
  { model, hidden }: { model: string | undefined; hidden: boolean },
): Spoken {
  return { entry, role: body.role, hidden, rendered: renderMessage(entry, body, isSameModel(body, model)) };
}

// Ids and names of calls go back as they came to the model that made them. Other providers refuse characters, lengths
// and repeated ids that this one allowed, so they get safe ones; call and result always agree.

const SAFE = /^[A-Za-z0-9_-]{1,64}$/;

function withSendIds(paired: readonly Paired[]): Paired[] {
  const used = new Set<string>();
  return paired.map((one) => {
    const { spoken, parts, results } = one;
    if (spoken.role !== 'assistant' || !parts.some((part) => part.type === 'tool-call')) return one;
    const { bound } = spoken.rendered;
    const inline = new Map<unknown, string>();
    const sent: Part[] = [];
    const renamed: Result[] = [];
    for (const part of parts) {
      if (part.type === 'tool-result') {
        sent.push(renamedPart(part, inline.get(part.toolCallId), bound));
      } else if (part.type !== 'tool-call') {
        sent.push(part);
      } else {
        const id = freeId(part.toolCallId as string, { bound, seq: spoken.entry.seq, used });
        sent.push(renamedPart(part, id, bound));
        if (part.providerExecuted === true) inline.set(part.toolCallId, id);
        else {
          const result = results[renamed.length]!;
          renamed.push({ ...result, part: renamedPart(result.part, id, bound, part.toolName as string) });
        }
      }
    }
    return { spoken, parts: sent, results: renamed };
  });
}

function freeId(
  id: string,
  { bound, seq, used }: { bound: boolean; seq: number; used: Set<string> },
): string {
  const safe = SAFE.test(id) || (bound && id !== '') ? id : `call_${shortHash(id)}`;
  let free = safe;
  for (let n = 0; used.has(free); n++) free = `call_${shortHash(safe)}_${seq}${n === 0 ? '' : `_${n}`}`;
  used.add(free);
  return free;
}

function renamedPart(
  part: Part,
  id: string | undefined,
  bound: boolean,
  name = part.toolName as string,
): Part {
  const toolName = bound || SAFE.test(name) ? name || 'tool' : safeName(name);
  if (id === part.toolCallId && toolName === part.toolName) return part;
  return changePart(part, (named) => ({ ...named, toolCallId: id, toolName }));
}

function safeName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
