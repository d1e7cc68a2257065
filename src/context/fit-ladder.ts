import type { EntryId } from '../record/index.ts';
import type { ContextOptions, LeftOut, Rung } from './context.ts';
import { cutMessages } from './cut-messages.ts';
import { type Draft, tokensOf } from './draft.ts';
import { leaveOutTurns } from './leave-out-turns.ts';
import { mergeSummaries, shortenSummaries } from './shorten-summaries.ts';
import { stubOutputs } from './stub-outputs.ts';
import { cutUnreadOutputs } from './unread-outputs.ts';

/** Makes the draft shorter, by `need` tokens if it can; false if it changed nothing. */
export type Climb = (draft: Draft, climbing: Climbing) => boolean;

export interface Climbing {
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
  draft: Draft,
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
