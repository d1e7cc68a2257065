import type { CompactionSettings, PresetName } from '../record/index.ts';

const COMMON = { soft: 0.75, least: { messages: 3 }, fanout: 4 } as const;

/** `balanced` is the default; the others are what the programs that this one grew from did. */
export const PRESETS = {
  balanced: { ...COMMON, trigger: { share: 0.8 }, keep: { share: 0.4, tokens: 20_000 } },
  army: { ...COMMON, trigger: { tokens: 15_000 }, keep: { messages: 20 } },
  repo: { ...COMMON, trigger: { lines: 200 }, keep: { turns: 10 }, least: { messages: 3, turns: 3 } },
  window: { ...COMMON, trigger: { share: 1, above: 15 }, keep: { messages: 10 } },
  checkpoint: { ...COMMON, trigger: { tokens: 100_000 }, keep: { messages: 0 } },
} as const satisfies Record<PresetName, CompactionSettings>;

export function settingsOf(settings: PresetName | CompactionSettings): CompactionSettings {
  return typeof settings === 'string' ? PRESETS[settings] : settings;
}
