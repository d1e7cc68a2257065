import type { PresetName } from '../compaction/index.ts';

/** Named here once more, so that saying which there are does not load everything that compacts. */
export const PRESET_NAMES: readonly PresetName[] = ['balanced', 'army', 'repo', 'window', 'checkpoint'];
