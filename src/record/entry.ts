import type { EntryBody } from './entry-body.ts';
import type { EntryId } from './entry-id.ts';
import type { Seq } from './seq.ts';

/** One immutable fact in a session's log. */
export interface Entry {
  readonly id: EntryId;
  /** Its place along the whole lineage: a fork at 40 goes on with 41. */
  readonly seq: Seq;
  /** Milliseconds since 1970, as the writer's clock had it. */
  readonly at: number;
  /** Local estimate of what the entry costs in a context, made once, when it was appended. */
  readonly tokens: number;
  readonly body: EntryBody;
}

/** What a writer hands in. The id is the idempotency key: give one to make a retry safe across processes. */
export interface NewEntry {
  readonly id?: EntryId;
  readonly at?: number;
  readonly body: EntryBody;
}
