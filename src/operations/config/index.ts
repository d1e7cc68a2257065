export { applyConfig, standingOf } from './apply-config.ts';
export { changeSetting } from './change-setting.ts';
export { listSettings } from './list-settings.ts';
export { POLICY_NAMES, PRESET_NAMES } from './preset-names.ts';
export { SETTINGS, settingNamed } from './settings.ts';
