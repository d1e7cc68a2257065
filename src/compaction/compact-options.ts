import {
  type CompactionSettings,
  checkArgument,
  checkOptions,
  type OptionKinds,
  type PresetName,
  type SeqRange,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { Load } from './read-policy.ts';
import type { SummariseOptions } from './summarise-range.ts';

export interface CompactOptions extends SummariseOptions {
  /** A preset by name, or settings. Defaults to the session's policy. */
  readonly settings?: PresetName | CompactionSettings;
  /** How full the context is: what stays is a share of the trigger then. */
  readonly load?: Load;
  /** Only these entries, grown to whole turns. */
  readonly range?: SeqRange;
  /** What the summary should pay attention to. */
  readonly instructions?: string;
  /**
   * How many tokens a summary may take, less the room for added names and figures. By default as many as its range is worth.
   */
  readonly summaryTokens?: number;
}

const OPTIONS: OptionKinds<Required<CompactOptions>> = {
  settings: ['text', 'object'],
  load: 'object',
  range: 'object',
  instructions: 'text',
  summaryTokens: 'number',
  summariser: 'object',
  timeoutMs: 'number',
  signal: 'signal',
  onUsage: 'function',
  unasked: 'object',
};

/** Refuses a session and options that a compaction cannot have been meant with. */
export function checkCompaction(session: Session, options: CompactOptions, call: string): void {
  checkArgument(session, 'session', { call });
  checkOptions(options, OPTIONS, { call });
}
