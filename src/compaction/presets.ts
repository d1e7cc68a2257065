/** What stays word for word. Several may be given; whatever any of them keeps is kept. */
export interface Keep {
  readonly tokens?: number;
  readonly messages?: number;
  readonly turns?: number;
}

/** When a session is compacted by itself. Any one that is reached counts; `above` has to hold as well. */
export interface Trigger {
  /** Share of the room for input: the window minus the reserve for the answer. */
  readonly share?: number;
  readonly tokens?: number;
  /** Entries in the log, as lines of a transcript. */
  readonly lines?: number;
  /** Only with more than this many messages on the frontier. */
  readonly above?: number;
}

export interface CompactionSettings {
  readonly trigger: Trigger;
  /** From this share of the trigger on, the summary is prepared in the background. */
  readonly soft: number;
  readonly keep: Keep;
  /** Fewer messages, or turns, than this are not worth a summary. */
  readonly least: { readonly messages: number; readonly turns?: number };
  /** So many neighbours of one level become one of the next. */
  readonly fanout: number;
}

const COMMON = { soft: 0.75, least: { messages: 3 }, fanout: 4 } as const;

/** `balanced` is the default; the others are what the programs that this one grew from did. */
export const PRESETS = {
  balanced: { ...COMMON, trigger: { share: 0.8 }, keep: { tokens: 20_000 } },
  army: { ...COMMON, trigger: { tokens: 15_000 }, keep: { messages: 20 } },
  repo: { ...COMMON, trigger: { lines: 200 }, keep: { turns: 10 }, least: { messages: 3, turns: 3 } },
  window: { ...COMMON, trigger: { share: 1, above: 15 }, keep: { messages: 10 } },
  checkpoint: { ...COMMON, trigger: { tokens: 100_000 }, keep: { messages: 0 } },
} as const satisfies Record<string, CompactionSettings>;

export type PresetName = keyof typeof PRESETS;
