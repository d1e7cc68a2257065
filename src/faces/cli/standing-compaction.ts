import type { CompactionChoice } from '../../agent/index.ts';
import { createModelSummariser } from '../../compaction/index.ts';
import { type OpenedModel, openModel } from '../../models/index.ts';
import type { PresetName } from '../../record/index.ts';

/** The options of a process that are about compaction: of its flags, its environment and the configuration. */
export interface CompactionOptions {
  readonly preset?: PresetName | 'off';
  /** Who writes summaries, if not the model that answers. */
  readonly summaryModel?: string;
  /** Tokens that the summaries of a model may use in an hour. */
  readonly summarySpend?: number;
  /** A person is asked before anything is compacted. */
  readonly askFirst?: 'on' | 'off';
  /** Seconds. */
  readonly timeout?: number;
}

/** The model that writes summaries, if one is named for it: a cheaper one, for instance, or with "digest" none. */
export async function openWriter({ summaryModel }: CompactionOptions): Promise<OpenedModel | undefined> {
  if (summaryModel === undefined) return undefined;
  return openModel(summaryModel === 'digest' ? 'offline' : summaryModel);
}

/** How the turns of the process compact. The chat and the server go by this, so that both make the same requests. */
export function standingCompaction(
  { preset, summarySpend, askFirst, timeout }: CompactionOptions,
  writer: OpenedModel | undefined,
): CompactionChoice {
  const limit = timeout === undefined ? {} : { timeoutMs: timeout * 1000 };
  return {
    ...(preset !== undefined && { fallback: preset }),
    ...(summarySpend !== undefined && { spendPerHour: summarySpend }),
    ...(askFirst !== undefined && { askFirst: askFirst === 'on' }),
    ...(writer && {
      summariser: writer.provider === 'offline' ? 'digest' : createModelSummariser(writer, limit),
    }),
  };
}
