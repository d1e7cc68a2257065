export { PRESET_NAMES } from '../../record/index.ts';
export { changeSetting } from './change-setting.ts';
export { applyConfig, standingOf } from './config-file.ts';
export { listSettings } from './list-settings.ts';
export { POLICY_NAMES } from './preset-names.ts';
export { CONFIG_SETTINGS, settingNamed } from './settings.ts';
