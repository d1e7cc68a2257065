import {
  CompactionPolicy,
  type CompactionSettings,
  type PresetName,
  type SessionState,
} from '../record/index.ts';
import { PRESETS, settingsOf } from './presets.ts';

/**
 * When and how a session is compacted by itself, as it is stored with the session; `false` for never. A session that
 * says nothing, or says it in words of a newer version, goes by `balanced`.
 */
export function readPolicy({ settings }: Pick<SessionState, 'settings'>): CompactionSettings | false {
  const policy = CompactionPolicy.parse(settings.compaction ?? 'balanced');
  return policy === 'off' ? false : settingsOf(policy);
}

/** What a compaction that is asked for goes by: the settings given, or the session's policy, also where that is `off`. */
export function settingsFor(
  state: Pick<SessionState, 'settings'>,
  given?: PresetName | CompactionSettings,
): CompactionSettings {
  return given === undefined ? readPolicy(state) || PRESETS.balanced : settingsOf(given);
}
