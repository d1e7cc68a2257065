import type { Compaction, Entry } from '../record/index.ts';
import { renderSummary } from '../summary/index.ts';
import type { CompactionResult } from './compact-session.ts';

/** What a compaction did that was not planned here: it covers what its writer says. */
export function describeWhole(entry: Entry, made: Compaction, frontier: readonly Entry[]): CompactionResult {
  const messages = frontier.filter(({ body }) => body.kind === 'message');
  const { from, to } = made.covers;
  const covered = messages.filter(({ seq }) => seq >= from && seq <= to);
  const kept = messages.filter(({ seq }) => seq > to);
  return {
    compactionId: entry.id,
    summary: renderSummary(made.summary),
    messagesCompacted: covered.length,
    kept: { messages: kept.length, tokens: kept.reduce((sum, { tokens }) => sum + tokens, 0) },
    originalTokenCount: made.tokensBefore,
    compressedTokenCount: made.tokensAfter,
    retention: made.retention,
    by: made.by,
    ...(made.usage?.cost !== undefined && { cost: made.usage.cost }),
    failures: [],
    merges: 0,
  };
}
