import { z } from 'zod';
import { settingsFor } from '../../compaction/index.ts';
import type { CompactionSettings, SessionInfo } from '../../record/index.ts';
import { SeqField, SessionField } from '../fields.ts';

/** The range of a compaction that is asked for. */
export const AskedFields = {
  chatSessionId: SessionField,
  keepRecentCount: z
    .int()
    .min(0)
    .max(100_000)
    .optional()
    .describe(
      "How many recent messages stay as they are, at least: a turn is not cut in two. If not given, as many as the session's policy keeps; `window` keeps 10.",
    ),
  range: z
    .strictObject({ from: SeqField.min(1), to: SeqField.min(1) })
    .optional()
    .describe('Only these entries, grown to whole turns.'),
};

/** The policy of the session, with the number of messages that the caller wants to stay. */
export function settingsOf({ state }: SessionInfo, keepRecentCount: number | undefined): CompactionSettings {
  const policy = settingsFor(state);
  return keepRecentCount === undefined ? policy : { ...policy, keep: { messages: keepRecentCount } };
}
