import type { CompactionSettings } from '../record/index.ts';

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
