import { ThroughlineError } from '../errors.ts';
import {
  CompactionPolicy,
  type CompactionSettings,
  type PresetName,
  type SessionState,
} from '../record/index.ts';
import { chooseTrigger, paysWhileCold } from './economy/choose-trigger.ts';
import type { Money, Pace } from './economy/money.ts';

/**
 * When and how a session is compacted automatically, as stored with the session; `false` for never. A session that says
 * nothing, or says it in words of a newer version, goes by the fallback.
 */
function readPolicy(
  { settings }: Pick<SessionState, 'settings'>,
  fallback: PresetName | 'off' = 'balanced',
): CompactionSettings | false {
  const policy = CompactionPolicy.parse(settings.compaction ?? fallback);
  return policy === 'off' ? false : settingsOf(policy);
}

/** When and how a turn compacts: as its options say, and else as the session's own policy says. */
export function policyOf(
  { state }: { readonly state: Pick<SessionState, 'settings'> },
  choice:
    | false
    | {
        readonly settings?: PresetName | CompactionSettings;
        readonly fallback?: PresetName | 'off';
      }
    | undefined,
): CompactionSettings | false {
  if (choice === false) return false;
  return choice?.settings === undefined ? readPolicy(state, choice?.fallback) : settingsOf(choice.settings);
}

/** True if a person is asked before anything is compacted: as the session says, and else as the options of the turn say. */
export function asksFirst(
  { state: { settings } }: { readonly state: Pick<SessionState, 'settings'> },
  choice: false | { readonly askFirst?: boolean } | undefined,
): boolean {
  return settings.askFirst ?? (choice !== false && choice?.askFirst === true);
}

/**
 * The settings of a compaction that is asked for: those given, or the session's policy, or the fallback; `balanced` where that is
 * `off`.
 */
export function settingsFor(
  state: Pick<SessionState, 'settings'>,
  given?: PresetName | CompactionSettings,
  { fallback }: { readonly fallback?: PresetName | 'off' | undefined } = {},
): CompactionSettings {
  return given === undefined ? readPolicy(state, fallback) || PRESETS.balanced : settingsOf(given);
}

const USUAL_SHARE = 0.8;
const COMMON = { soft: 0.75, least: { messages: 3 }, fanout: 4 } as const;

/**
 * `balanced` is the default. `frugal` costs least, and `everything` keeps all in sight while there is room for it. The others are
 * what the programs that this one grew from did.
 */
export const PRESETS = {
  balanced: {
    ...COMMON,
    trigger: { share: USUAL_SHARE, cost: { over: 0.05, from: 60_000 } },
    keep: { share: 0.4, tokens: 20_000 },
  },
  frugal: {
    ...COMMON,
    trigger: { share: USUAL_SHARE, cost: { over: 0, from: 30_000 } },
    keep: { share: 0.4, tokens: 10_000 },
  },
  everything: { ...COMMON, trigger: { share: 0.9 }, keep: { share: 0.4, tokens: 20_000 } },
  army: { ...COMMON, trigger: { tokens: 15_000 }, keep: { messages: 20 } },
  repo: { ...COMMON, trigger: { lines: 200 }, keep: { turns: 10 }, least: { messages: 3, turns: 3 } },
  window: { ...COMMON, trigger: { share: 1, above: 15 }, keep: { messages: 10 } },
  checkpoint: { ...COMMON, trigger: { tokens: 100_000 }, keep: { messages: 0 } },
} as const satisfies Record<PresetName, CompactionSettings>;

function settingsOf(settings: PresetName | CompactionSettings): CompactionSettings {
  if (typeof settings !== 'string') return settings;
  if (Object.hasOwn(PRESETS, settings)) return PRESETS[settings];
  const names = Object.keys(PRESETS).join(', ');
  throw new ThroughlineError(
    'usage',
    `There is no preset "${settings}" for compactions. There are: ${names}.`,
  );
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
  /** Summaries are part of `fixed`, where requests show what they add up to instead of each of them. */
  readonly summariesFixed?: boolean;
  /** How the session goes, by its newest answers. */
  readonly pace?: Pace;
  /** What its requests cost, where that is known. */
  readonly money?: Money;
}

/** `soft`: prepare a summary in the background. `hard`: the context must be shortened before the next request. */
type Mark = 'none' | 'soft' | 'hard';

export function checkTrigger(load: Load, settings: CompactionSettings): Mark {
  const { trigger, soft } = settings;
  if (trigger.above !== undefined && load.messages <= trigger.above) return 'none';
  const { reached } = triggerOf(load, settings);
  if (reached > 1) return 'hard';
  return reached > soft ? 'soft' : 'none';
}

/** Why a context is shortened: the policy's own limits, what waiting would cost, or a cache that has expired anyway. */
type TriggerReason = 'tokens' | 'lines' | 'cost' | 'cold';

interface ReachedTrigger {
  readonly by: 'tokens' | 'lines';
  readonly because: TriggerReason;
  readonly reached: number;
  /** That the conversation is measured by. */
  readonly tokens: number;
}

/** The trigger that a load is nearest to. */
export function triggerOf(
  load: Load,
  settings: Pick<CompactionSettings, 'trigger' | 'keep'>,
): ReachedTrigger {
  const { tokens, lines, room } = load;
  const { trigger } = settings;
  const given = [trigger.tokens, trigger.share === undefined ? undefined : trigger.share * room];
  const limits = given.filter((limit) => limit !== undefined);
  const most = Math.min(room, ...(limits.length > 0 ? limits : [USUAL_SHARE * room]));
  const byLines = trigger.lines === undefined ? 0 : lines / trigger.lines;
  const byTokens = limits.length > 0 ? tokens / Math.min(...limits) : 0;
  if (byLines > byTokens) return { by: 'lines', because: 'lines', reached: byLines, tokens: most };
  const cheap = cheapTrigger(load, settings, most);
  if (cheap && cheap.tokens < most) return { by: 'tokens', ...cheap, reached: tokens / cheap.tokens };
  return { by: 'tokens', because: 'tokens', reached: byTokens, tokens: most };
}

/** When it is cheapest to compact, if that is known. With a cold cache that is at once, where it pays. */
function cheapTrigger(
  { tokens, fixed = 0, money }: Load,
  { trigger: { cost }, keep }: Pick<CompactionSettings, 'trigger' | 'keep'>,
  most: number,
): Pick<ReachedTrigger, 'because' | 'tokens'> | undefined {
  if (!cost || !money) return undefined;
  const filling = { tokens, most, fixed, keep };
  const warm = chooseTrigger(filling, money, cost);
  const now = money.cold && tokens > cost.from && tokens <= warm && paysWhileCold(filling, money, warm);
  return now ? { because: 'cold', tokens: tokens - 1 } : { because: 'cost', tokens: warm };
}
