import { isThroughlineError } from '../../errors.ts';
import {
  deriveEntryId,
  type Entry,
  type EntryBody,
  equalJson,
  type Message,
  type NewEntry,
  type Part,
  type Seq,
  type SessionId,
} from '../../record/index.ts';
import { type Store, wholeBody } from '../../store/index.ts';
import type { Incoming } from './import-target.ts';
import { type ImportLook, isRemoved, retryWhenSessionMoved } from './retry-when-session-moved.ts';

// What happens when a file is not simply longer than it was. A record that has grown (an answer that was still being written)
// is taken back with what followed it, and written again. A record that says something else now, or a session that was
// continued here, makes a fork. Nothing that was written is changed.

interface SettleOptions {
  readonly store: Store;
  /** Appends if the session still ends where it was seen to end. */
  readonly append: (entries: readonly Incoming[], look: ImportLook) => Promise<Entry[]>;
  readonly lastSeq: () => Seq;
  /** Records may change where they are; nothing follows from what stands behind them. */
  readonly window: boolean;
  readonly isGrowing: () => boolean;
  readonly onGrowing: () => void;
  readonly onRepeated: () => void;
}

/** Finds the entry that stands for an incoming one, writing it if need be. */
export function createSettler(
  session: SessionId,
  { store, append, lastSeq, window, isGrowing, onGrowing, onRepeated }: SettleOptions,
): (incoming: Incoming) => Promise<Entry | 'diverged'> {
  async function write(entry: Incoming, look: ImportLook): Promise<Entry> {
    try {
      const [written] = await append([entry], look);
      return written!;
    } catch (error) {
      if (!isThroughlineError(error, 'entry-invalid')) throw error;
      // Nested too deeply, or otherwise not to be held as values: kept as text.
      const [written] = await append([{ ...entry, body: asText(entry.body) }], look);
      return written!;
    }
  }

  /** True if the session has messages that are not in the file. */
  async function wentOn(look: ImportLook): Promise<boolean> {
    const said = await store.read(session, { after: lastSeq(), only: 'messages', limit: 200 });
    return said.some(({ seq }) => !isRemoved(look, seq));
  }

  async function takeBack(from: Seq, edition: string, { head }: ImportLook): Promise<undefined> {
    const target = { from, to: window ? from : head };
    const id = deriveEntryId(edition, 'taken back');
    const mark: NewEntry = { id, body: { kind: 'mark', target, mark: 'removed' } };
    await store.append(session, [mark], { expectedHead: head });
  }

  /** Unless another import of the same file is ahead: then the missing entry may be there. */
  async function diverged({ head }: ImportLook): Promise<'diverged' | undefined> {
    return (await store.session(session))!.head === head ? 'diverged' : undefined;
  }

  async function settle(incoming: Incoming, look: ImportLook): Promise<Entry | 'diverged' | undefined> {
    for (let edition = 0; ; edition++) {
      const id = edition === 0 ? incoming.id : deriveEntryId(incoming.id, 'edition', String(edition));
      const stored = await store.entry(session, id);
      if (!stored) {
        if (edition === 0 && !isGrowing() && (await wentOn(look))) return diverged(look);
        if (incoming.seq !== undefined && incoming.seq !== look.head + 1) return diverged(look);
        const written = await write({ ...incoming, id }, look);
        onGrowing();
        return written;
      }
      if (isRemoved(look, stored.seq)) continue;
      const body = await wholeBody(stored.body, (hash) => store.blob(hash));
      const change = compare(body, incoming.body);
      const passed = stored.seq <= lastSeq() && !incoming.again;
      if (change === 'none' || change === 'reworded' || (passed && change === 'told')) {
        if (passed && !window && body.kind === 'message') onRepeated();
        return stored;
      }
      // One name for two records of a file: both are kept.
      if (passed && !window) continue;
      // An older copy of the file; the stored one is newer.
      if (!window && saysMore(body, incoming.body)) return stored;
      if (change === 'other' && !window) return diverged(look);
      return takeBack(stored.seq, id, look);
    }
  }

  return (incoming) => retryWhenSessionMoved(store, session, (look) => settle(incoming, look));
}

/**
 * What became of a record. `reworded`: only what does not matter to the conversation. `reported`: what it cost, how it ended.
 */
type Change = 'none' | 'reworded' | 'told' | 'grew' | 'other';

function compare(before: EntryBody, now: EntryBody): Change {
  if (equalJson(before, now)) return 'none';
  if (before.kind === 'message' && now.kind === 'message') return compareMessages(before, now);
  if (before.kind === 'compaction' && now.kind === 'compaction')
    return before.summary.overview === now.summary.overview ? 'reworded' : 'other';
  if (before.kind === 'unknown' || now.kind === 'unknown') return 'reworded';
  return before.kind === now.kind && before.kind !== 'restoration' ? 'reworded' : 'other';
}

function compareMessages(before: Message, now: Message): Change {
  if (before.role !== now.role) return 'other';
  const last = before.parts.length - 1;
  const same = (part: Part, index: number) => equalJson(part, now.parts[index]);
  if (
    !before.parts.every(
      (part, index) => same(part, index) || (index === last && goesOn(part, now.parts[index])),
    )
  )
    return 'other';
  if (now.parts.length > before.parts.length || !before.parts.every(same)) return 'grew';
  const facts = ({ usage, status, model }: Message) => ({ usage, status, model });
  return equalJson(facts(before), facts(now)) ? 'reworded' : 'told';
}

/** Whether a message is what another one became: it goes on further, or more is known of what it cost. */
function saysMore(now: EntryBody, before: EntryBody): boolean {
  if (now.kind !== 'message' || before.kind !== 'message') return false;
  const change = compareMessages(before, now);
  const cost = ({ usage }: Message) => (usage ? usage.inputTokens + usage.outputTokens : -1);
  return change === 'grew' || (change === 'told' && cost(now) > cost(before));
}

/** The same text, and more of it. */
function goesOn(before: Part, now: Part | undefined): boolean {
  if (before.type !== 'text' || now?.type !== 'text') return false;
  return typeof before.text === 'string' && typeof now.text === 'string' && now.text.startsWith(before.text);
}

/** A body that cannot be stored as it is, as text. */
function asText(body: EntryBody): EntryBody {
  return {
    kind: 'unknown',
    was: 'transcript/unstorable',
    value: { kind: 'transcript/unstorable', text: JSON.stringify(body) },
  };
}
