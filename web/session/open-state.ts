import type { ResultOf, SessionRecord } from '../../src/faces/rpc/client/index.ts';
import type { TurnAnswerRecord } from '../../src/operations/records/turn-record.ts';
import type { Originals, ShownCompaction, ShownMessage } from '../timeline/shown.ts';
import type { AutoCompacted, LiveTurn } from './live-turn.ts';
import type { Sent } from './sent.ts';

export type Meter = ResultOf<'chat/context/meter'>;

/** What the page has of a session. */
export interface OpenState {
  readonly session: SessionRecord | undefined;
  readonly messages: readonly ShownMessage[];
  /** Cursors; `null` when there is nothing further that way. */
  readonly older: number | null;
  readonly newer: number | null;
  readonly compactions: readonly ShownCompaction[];
  readonly originals: ReadonlyMap<string, Originals>;
  /** The newest turn, as the log has it: whether it is unfinished is read here and nowhere else. */
  readonly turn: TurnAnswerRecord | undefined;
  /** Why older questions have no whole answer, by their ids. */
  readonly reasons: ReadonlyMap<string, string>;
  readonly live: LiveTurn | undefined;
  readonly sent: readonly Sent[];
  /** A call that asks again or answers what waits: under way, or what it failed with. */
  readonly asked: { readonly error: unknown } | undefined;
  readonly meter: Meter | undefined;
  readonly autoCompacted: AutoCompacted | undefined;
  readonly error: unknown;
  /** Counts the places gone to, so that the timeline knows when to scroll. */
  readonly visit: number;
  readonly target: string | undefined;
}

export const NOTHING: OpenState = {
  session: undefined,
  messages: [],
  older: null,
  newer: null,
  compactions: [],
  originals: new Map(),
  turn: undefined,
  reasons: new Map(),
  live: undefined,
  sent: [],
  asked: undefined,
  meter: undefined,
  autoCompacted: undefined,
  error: undefined,
  visit: 0,
  target: undefined,
};
