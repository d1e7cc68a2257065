import { z } from 'zod';
import { settingsFor } from '../../compaction/index.ts';
import { type CompactionSettings, PRESET_NAMES, type SessionInfo } from '../../record/index.ts';
import type { App } from '../app.ts';
import { POLICY_NAMES } from '../config/preset-names.ts';
import { SeqField, SessionField } from '../fields.ts';
import { refused } from '../refused.ts';
import type { TurnApp } from '../turn-app.ts';

/** The range of a compaction that is asked for, and how much stays. */
export const AskedFields = {
  chatSessionId: SessionField,
  preset: z
    .enum(PRESET_NAMES)
    .optional()
    .describe("How much stays; if not given, the session's policy, or the standing preset if it has none."),
  keepRecentCount: z
    .int()
    .min(0)
    .optional()
    .describe(
      "How many recent messages stay as they are, at least: a turn is not cut in two. If not given, as many as the session's policy keeps; `window` keeps 10.",
    ),
  keepTurns: z
    .int()
    .min(0)
    .optional()
    .describe('How many of the newest turns stay, instead of a number of messages.'),
  range: z
    .strictObject({ from: SeqField.min(1), to: SeqField.min(1) })
    .optional()
    .describe('Only these entries, grown to whole turns.'),
};

const Asked = z.object(AskedFields);

/**
 * The preset, else the policy of the session, else the standing preset of the process, with the number of messages or turns that
 * the caller wants to stay.
 */
export function settingsOfSummary(
  { state }: SessionInfo,
  {
    preset,
    keepRecentCount,
    keepTurns,
  }: Pick<z.output<typeof Asked>, 'preset' | 'keepRecentCount' | 'keepTurns'>,
  app: Pick<App, 'env'> & Partial<Pick<TurnApp, 'compaction'>>,
): CompactionSettings {
  const policy = settingsFor(state, preset, { fallback: standingPreset(app) });
  const keep = {
    ...(keepRecentCount !== undefined && { messages: keepRecentCount }),
    ...(keepTurns !== undefined && { turns: keepTurns }),
  };
  return Object.keys(keep).length === 0 ? policy : { ...policy, keep };
}

/** A server was started with one, or not; everywhere else the environment has it, and the configuration is in there. */
function standingPreset({ compaction, env }: Parameters<typeof settingsOfSummary>[2]) {
  if (compaction?.fallback !== undefined) return compaction.fallback;
  const { THROUGHLINE_PRESET: named } = env;
  if (!named) return undefined;
  const known = POLICY_NAMES.find((name) => name === named);
  if (!known)
    throw refused('usage', `THROUGHLINE_PRESET is "${named}", and it is one of ${POLICY_NAMES.join(', ')}.`);
  return known;
}
