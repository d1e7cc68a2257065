import type { AutoOutcome } from '../compaction/index.ts';
import type { BuiltContext } from '../context/index.ts';
import type { ErrorCode } from '../errors.ts';
import {
  addUsage,
  type CompactionReason,
  type CutBy,
  type Entry,
  type EntryId,
  NO_USAGE,
  type TurnFailure,
  type Usage,
} from '../record/index.ts';
import { sayMessage } from '../text/index.ts';
import { cutByOf, whyCutByProvider } from './read-turn.ts';
import type { CacheBreak } from './request/note-request.ts';

/** What happens while a turn runs, for listeners. Nothing of this survives a crash; the log does. */
export type TurnEvent =
  /** The input is on disk. `waiting`: another turn is running, this one comes after it. */
  | { readonly type: 'input-stored'; readonly id: EntryId; readonly waiting: boolean }
  /** The model that the session or its agent names cannot be used here; `model` answers. */
  | { readonly type: 'model-replaced'; readonly model: string; readonly problem: string }
  /** The agent module that the session remembers is not run here; the turn goes on without it. */
  | { readonly type: 'agent-left-out'; readonly problem: string }
  /** A request is about to be sent; the numbers are those of the context meter. */
  | ({ readonly type: 'request-start'; readonly step: number; readonly model: string } & Pick<
      BuiltContext,
      'tokens' | 'window' | 'reserve' | 'parts' | 'leftOut' | 'steps'
    >)
  /** The beginning of the request is not what it was last time, so the provider's cache does not help. */
  | ({ readonly type: 'prefix-change'; readonly tokens: number } & CacheBreak)
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  /** An answer, whole or interrupted, is on disk. */
  | { readonly type: 'answer-end'; readonly entry: Entry; readonly finishReason: string }
  | {
      readonly type: 'tool-start';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  /** What a tool that reports on the way has so far. */
  | {
      readonly type: 'tool-delta';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: unknown;
    }
  | {
      readonly type: 'tool-end';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly outcome: ToolOutcome;
      /** The result's entry, on disk. */
      readonly entry: Entry;
    }
  /** The context is full and is being shortened; the request waits for it. */
  | { readonly type: 'compaction-start'; readonly why: CompactionReason }
  | { readonly type: 'compaction-end'; readonly outcome: AutoOutcome }
  | {
      readonly type: 'retry-start';
      readonly code: ErrorCode;
      readonly reason: string;
      /** Counted from 1. */
      readonly attempt: number;
      readonly of: number;
      readonly waitMs: number;
    }
  /** The provider refused something in the request, and the next one goes without it. */
  | { readonly type: 'request-mend'; readonly about: string; readonly reason: string }
  | { readonly type: 'turn-end'; readonly result: TurnResult };

export type ToolOutcome = 'done' | 'failed' | 'denied' | 'interrupted';

/** A listener cannot break a turn: its errors are dropped. */
export function quietly(onEvent: ((event: TurnEvent) => void) | undefined): (event: TurnEvent) => void {
  return (event) => {
    try {
      onEvent?.(event);
    } catch {}
  };
}

export interface TurnResult {
  /**
   * `complete`: the model is done. `interrupted`: it was stopped or cut; the part of the answer that was there is kept.
   * `step-limit`: it wants to go on, and `continueTurn` lets it.
   */
  readonly status: 'complete' | 'interrupted' | 'step-limit';
  /** What ended an `interrupted` answer; `provider` also if it was longer than it may be, or empty. */
  readonly cutBy?: CutBy;
  /** Why the provider cut it. */
  readonly error?: TurnFailure;
  readonly input: Entry;
  /** The input and everything the turn has appended, by this run and by earlier ones that were cut short. */
  readonly entries: readonly Entry[];
  /** The text of the newest answer. */
  readonly text: string;
  /** Model calls that ended in an answer. */
  readonly answers: number;
  /** Of all answers of this turn. */
  readonly usage: Usage;
}

export function resultOf(status: TurnResult['status'], input: Entry, entries: readonly Entry[]): TurnResult {
  const said = entries.flatMap(({ body }) =>
    body.kind === 'message' && body.role === 'assistant' ? [body] : [],
  );
  const cutBy = status === 'interrupted' && said.length > 0 ? cutByOf(said.at(-1)!) : undefined;
  const text = sayMessage({ parts: said.at(-1)?.parts ?? [] }, { separator: '' });
  return {
    status,
    ...(cutBy && { cutBy }),
    ...(cutBy === 'provider' && { error: whyCutByProvider(said.at(-1)!) }),
    input,
    entries,
    text,
    answers: said.filter(({ status }) => status !== 'interrupted').length,
    usage: said.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), NO_USAGE),
  };
}
