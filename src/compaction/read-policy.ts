import {
  CompactionPolicy,
  type CompactionSettings,
  type PresetName,
  type SessionState,
} from '../record/index.ts';

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

/** How full the context is. */
export interface Load {
  readonly tokens: number;
  /** Room for input: the window minus the reserve. */
  readonly room: number;
  readonly messages: number;
  readonly lines: number;
  /** What stands around the conversation and cannot be compacted: head, tools, pins. Part of `tokens`. */
  readonly fixed?: number;
  /** Tokens as they are counted here, for one as entries are counted. */
  readonly scale?: number;
}

/** `soft`: prepare a summary in the background. `hard`: the context must be shortened before the next request. */
export type Mark = 'none' | 'soft' | 'hard';

export function checkTrigger(load: Load, { trigger, soft }: CompactionSettings): Mark {
  if (trigger.above !== undefined && load.messages <= trigger.above) return 'none';
  const shares = [
    trigger.share === undefined ? 0 : load.tokens / (trigger.share * load.room),
    trigger.tokens === undefined ? 0 : load.tokens / trigger.tokens,
    trigger.lines === undefined ? 0 : load.lines / trigger.lines,
  ];
  const reached = Math.max(...shares);
  if (reached > 1) return 'hard';
  return reached > soft ? 'soft' : 'none';
}
