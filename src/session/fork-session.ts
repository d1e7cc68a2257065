import { ThroughlineError } from '../errors.ts';
import {
  checkArgument,
  checkOptions,
  type EntryId,
  type NewEntry,
  type OptionKinds,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Store } from '../store/index.ts';
import { bear, birthEntries } from './create-session.ts';

export interface ForkOptions {
  /** The last entry both share, by number or id; the newest one if not given. */
  readonly at?: Seq | EntryId;
  readonly id?: SessionId;
  /** The fork keeps its parent's title and tags unless it gets its own. */
  readonly title?: string;
  /** Its first messages. It is born with them: there is no moment when it exists without. */
  readonly entries?: readonly NewEntry[];
  readonly now?: () => number;
}

const OPTIONS: OptionKinds<Required<ForkOptions>> = {
  at: 'anything',
  id: 'text',
  title: 'text',
  entries: 'list',
  now: 'function',
};

/** A new session that shares `parent`'s log up to an entry. Nothing is copied and the parent does not change. */
export async function forkSession(
  store: Store,
  parent: SessionInfo,
  options: ForkOptions = {},
): Promise<SessionInfo> {
  checkArgument(store, 'store', { call: 'forkSession' });
  checkArgument(parent, 'session info', { call: 'forkSession' });
  // A misspelt place would be the newest entry.
  checkOptions(options, OPTIONS, { call: 'forkSession' });
  const { at, id, title, entries = [], now = Date.now } = options;
  const seq = await seqOf(store, parent, at);
  const { agent = 'fork' } = parent.state.settings;
  const time = now();
  return bear(store, {
    id,
    agent,
    now: time,
    parent: { session: parent.id, relation: 'fork', seq },
    entries: [...birthEntries({ ...(title !== undefined && { title }) }, time), ...entries],
  });
}

async function seqOf(store: Store, { id, head }: SessionInfo, at: Seq | EntryId | undefined): Promise<Seq> {
  if (at === undefined) return head;
  if (typeof at === 'number') return at;
  const entry = await store.entry(id, at);
  if (entry) return entry.seq;
  throw new ThroughlineError('entry-not-found', `Session "${id}" has no entry ${at} to fork from.`, {
    details: { session: id, entry: at },
  });
}
