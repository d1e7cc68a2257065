import { z } from 'zod';
import { settingsFor } from '../../compaction/index.ts';
import type { CompactionSettings, SessionInfo } from '../../record/index.ts';
import { PRESET_NAMES } from '../config/preset-names.ts';
import { SeqField, SessionField } from '../fields.ts';

/** The range of a compaction that is asked for, and how much stays. */
export const AskedFields = {
  chatSessionId: SessionField,
  preset: z.enum(PRESET_NAMES).optional().describe("How much stays; if not given, the session's policy."),
  keepRecentCount: z
    .int()
    .min(0)
    .optional()
    .describe(
      "How many recent messages stay as they are, at least: a turn is not cut in two. If not given, as many as the session's policy keeps; `window` keeps 10.",
    ),
  range: z
    .strictObject({ from: SeqField.min(1), to: SeqField.min(1) })
    .optional()
    .describe('Only these entries, grown to whole turns.'),
};

const Asked = z.object(AskedFields);

/** The preset or else the policy of the session, with the number of messages that the caller wants to stay. */
export function settingsOf(
  { state }: SessionInfo,
  { preset, keepRecentCount }: Pick<z.output<typeof Asked>, 'preset' | 'keepRecentCount'>,
): CompactionSettings {
  const policy = settingsFor(state, preset);
  return keepRecentCount === undefined ? policy : { ...policy, keep: { messages: keepRecentCount } };
}
