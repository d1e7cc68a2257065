import { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';

/** When a file is shortened, and how much of it stays. */
export interface ShortenSettings {
  readonly enabled: boolean;
  /** Only files with more lines than this are shortened … */
  readonly maxLines: number;
  /** … or with more tokens than this, where it is set. */
  readonly maxTokens?: number;
  readonly keepTurns: number;
  readonly branch?: string;
  /** "provider:model". */
  readonly model?: string;
}

/** A turn or two are not worth a summary. */
export const LEAST_OLD_TURNS = 3;

export const SHORTEN_DEFAULTS: ShortenSettings = { enabled: true, maxLines: 200, keepTurns: 10 };

/** The branch for originals of a repository whose settings name none. */
export const SETTINGS_BRANCH = 'gitclaw-archive';

const Settings = z.looseObject({
  defaultProvider: z.string().optional(),
  defaultModel: z.string().optional(),
  sessionManagement: z
    .looseObject({
      enabled: z.boolean().default(true),
      maxSessionLines: z.number().int().min(1).default(SHORTEN_DEFAULTS.maxLines),
      maxSessionTokens: z.number().int().min(1).optional(),
      recentTurnsToKeep: z.number().int().min(0).default(SHORTEN_DEFAULTS.keepTurns),
      archiveBranch: z.string().default(SETTINGS_BRANCH),
      summaryModel: z.string().nullish(),
    })
    .optional(),
});

/** The `sessionManagement` block of a settings file of pi, as the seeds of such repositories have it. */
export function readSettings(text: string, file: string): ShortenSettings {
  const parsed = Settings.safeParse(parse(text, file));
  if (!parsed.success)
    throw new ThroughlineError('usage', `${file} cannot be used: ${z.prettifyError(parsed.error)}`);
  const { sessionManagement: block, defaultProvider, defaultModel } = parsed.data;
  if (!block) return SHORTEN_DEFAULTS;
  const named = block.summaryModel ?? defaultModel;
  const model = named && (named.includes(':') || !defaultProvider ? named : `${defaultProvider}:${named}`);
  return {
    enabled: block.enabled,
    maxLines: block.maxSessionLines,
    ...(block.maxSessionTokens !== undefined && { maxTokens: block.maxSessionTokens }),
    keepTurns: block.recentTurnsToKeep,
    branch: block.archiveBranch,
    ...(model && { model }),
  };
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ThroughlineError('usage', `${file} is no JSON: ${(cause as Error).message}`, { cause });
  }
}
