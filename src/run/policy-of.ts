import { readPolicy, settingsOf } from '../compaction/index.ts';
import type { CompactionSettings, SessionInfo } from '../record/index.ts';
import type { TurnOptions } from './turn-options.ts';

/** When and how a turn compacts: as its options say, and else as the session's own policy says. */
export function policyOf(
  { state }: Pick<SessionInfo, 'state'>,
  choice: TurnOptions['compaction'],
): CompactionSettings | false {
  if (choice === false) return false;
  return choice?.settings === undefined ? readPolicy(state) : settingsOf(choice.settings);
}
