import type { PresetName } from '../compaction/index.ts';

/** Named here once more, so that saying which there are does not load everything that compacts. */
export const PRESET_NAMES: readonly PresetName[] = ['balanced', 'army', 'repo', 'window', 'checkpoint'];

/** What a session can be set to: `off` compacts nothing by itself. */
export const POLICY_NAMES: readonly (PresetName | 'off')[] = [...PRESET_NAMES, 'off'];
