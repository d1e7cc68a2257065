import type { PresetName } from '../../compaction/index.ts';

/** Listed here once more, so that the help of a command does not load the compaction. */
export const PRESET_NAMES = [
  'balanced',
  'frugal',
  'everything',
  'army',
  'repo',
  'window',
  'checkpoint',
] as const satisfies readonly PresetName[];

/** The policies that a session can be set to; with `off` it is compacted on request only. */
export const POLICY_NAMES: readonly (PresetName | 'off')[] = [...PRESET_NAMES, 'off'];
