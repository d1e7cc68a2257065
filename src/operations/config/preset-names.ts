import { PRESET_NAMES, type PresetName } from '../../record/index.ts';

export { PRESET_NAMES };

/** The policies that a session can be set to; with `off` it is compacted on request only. */
export const POLICY_NAMES: readonly (PresetName | 'off')[] = [...PRESET_NAMES, 'off'];
