import { z } from 'zod';

/** What stays word for word. Several may be given; whatever any of them keeps is kept. */
export const Keep = z.strictObject({
  /** Of the amount that triggers, where that is known; `tokens` then bounds it. */
  share: z.number().min(0).max(1).optional(),
  tokens: z.int().min(0).optional(),
  messages: z.int().min(0).optional(),
  turns: z.int().min(0).optional(),
});
export interface Keep {
  readonly share?: number | undefined;
  readonly tokens?: number | undefined;
  readonly messages?: number | undefined;
  readonly turns?: number | undefined;
}

/** When a session is compacted automatically. Any one that is reached counts; `above` has to hold as well. */
const Trigger = z.strictObject({
  /** Share of the room for input: the window minus the reserve for the answer. */
  share: z.number().positive().max(1).optional(),
  tokens: z.int().min(1).optional(),
  /** Entries in the log, as lines of a transcript. */
  lines: z.int().min(1).optional(),
  /** Only with more than this many active messages, the question that is being asked not counted. */
  above: z.int().min(0).optional(),
  /** Where the price of the model is known: when that is cheapest for the whole session, or a share dearer; never before `from` tokens. */
  cost: z.strictObject({ over: z.number().min(0).max(10), from: z.int().min(0) }).optional(),
});
interface Trigger {
  readonly share?: number | undefined;
  readonly tokens?: number | undefined;
  readonly lines?: number | undefined;
  readonly above?: number | undefined;
  readonly cost?: { readonly over: number; readonly from: number } | undefined;
}

export const CompactionSettings = z.strictObject({
  trigger: Trigger,
  /** From this share of the trigger on, the summary is prepared in the background. */
  soft: z.number().positive().max(1).default(0.75),
  keep: Keep,
  /** Fewer messages, or turns, than this are not worth a summary. */
  least: z
    .strictObject({ messages: z.int().min(1), turns: z.int().min(0).optional() })
    .default({ messages: 3 }),
  /** So many neighbours of one level become one of the next. */
  fanout: z.int().min(2).max(100).default(4),
});
export interface CompactionSettings {
  readonly trigger: Trigger;
  readonly soft: number;
  readonly keep: Keep;
  readonly least: { readonly messages: number; readonly turns?: number | undefined };
  readonly fanout: number;
}

export const PRESET_NAMES = [
  'balanced',
  'frugal',
  'everything',
  'army',
  'repo',
  'window',
  'checkpoint',
] as const;
export type PresetName = (typeof PRESET_NAMES)[number];

/** A preset by name, settings, or `off`. */
export const CompactionPolicy = z.union([z.enum([...PRESET_NAMES, 'off']), CompactionSettings]);
export type CompactionPolicy = PresetName | 'off' | CompactionSettings;
