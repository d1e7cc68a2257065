import { findDecisions, readEntries } from '../../compaction/index.ts';
import type { Entry } from '../../record/index.ts';

/**
 * True if a message states a choice. It is the rule that summaries list decisions by, asked of the message itself, so that it
 * holds in sessions that were never compacted, too.
 */
export function statesDecision(entry: Entry, redact: (text: string) => string): boolean {
  const { body } = entry;
  if (body.kind !== 'message' || (body.role !== 'user' && body.role !== 'assistant')) return false;
  return readEntries([entry]).some(({ pieces }) =>
    pieces.some(
      (piece) =>
        piece.kind === 'said' &&
        findDecisions(redact(piece.text), { byUser: piece.role === 'user' }).length > 0,
    ),
  );
}
