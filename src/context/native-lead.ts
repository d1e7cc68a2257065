import {
  type Compaction,
  type Entry,
  isRef,
  type NativeBlock,
  nativeBlockIn,
  type Part,
} from '../record/index.ts';
import type { ContextState } from './context.ts';
import { countParts, type Piece } from './piece.ts';

/** The summary that the model's own provider made. It reads nothing that stands before it. */
export interface NativeLead {
  readonly piece: Piece;
  /** Whether an entry is in it: such an entry is not sent. */
  holds(entry: Entry): boolean;
}

/**
 * The newest summary by the provider that this very model can be given back. Any other model gets the text of the record, as of
 * every compaction.
 */
export function findNativeLead(
  { frontier, model }: Pick<ContextState, 'frontier'> & { readonly model: string | undefined },
  isHidden: (entry: Entry) => boolean,
): NativeLead | undefined {
  if (model === undefined) return undefined;
  for (const entry of frontier.toReversed()) {
    const block = isHidden(entry) ? undefined : nativeBlockIn(entry.body);
    if (block?.model === model && !holdsRef(block.part)) return leadOf(entry, block);
  }
  return undefined;
}

function leadOf(entry: Entry, { part, upTo }: NativeBlock): NativeLead {
  const parts = [part];
  return {
    piece: { role: 'assistant', share: 'summary', parts, sources: [entry], tokens: countParts(parts) },
    holds: ({ seq, body }) => endOf(body, seq) <= upTo,
  };
}

function endOf(body: Entry['body'], seq: number): number {
  return body.kind === 'compaction' ? (body as Compaction).covers.to : seq;
}

function holdsRef(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isRef(value as Part) || Object.values(value).some(holdsRef);
}
