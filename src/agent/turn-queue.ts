import type { AutoCompaction, Load } from '../compaction/index.ts';
import { ThroughlineError } from '../errors.ts';
import { checkArgument, type Entry, type EntryId, type Message, type SessionId } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { ChatToAsk } from './summary/ask-in-chat.ts';

/** What goes on in a session in this process: one turn at a time, and the summary prepared beside it. */
export interface TurnQueue {
  /** Takes a place in the line. `busy`: another turn is before it. */
  enter(): TurnPlace;
  /** Set once what an earlier process left open has been closed. */
  recovered: boolean;
  /** The turn that is running. */
  current?: RunningTurn | undefined;
  /** Inputs that wait for their turn in this process, by their ids. */
  readonly queued: Map<EntryId, { readonly body: Message; readonly stored: Promise<void> }>;
  /** Notes of inputs that wait for their turn, oldest first. */
  waiting: readonly EntryId[];
  /** How full the context is, as the newest turn would send it. */
  measure?: () => Promise<Load>;
  /** The chat as the newest turn asks it: summaries are asked for behind it. */
  chat?: () => ChatToAsk;
  compaction?: { readonly key: string; readonly auto: AutoCompaction; readonly stop: AbortController };
  /** A compaction that goes on after the turn that started it. */
  background?: Promise<void> | undefined;
}

interface RunningTurn {
  readonly id: EntryId;
  /** Messages that were handed in, on their way to the disk. */
  readonly steering: Promise<Entry | undefined>[];
  /** By their ids, so that a repeat is distinguished from a new one. */
  readonly handedIn: Map<
    EntryId,
    {
      readonly body: Message;
      readonly stored: Promise<{ readonly steered: { readonly turn: EntryId; readonly message: EntryId } }>;
    }
  >;
  /** The last request was answered: what comes now is for the next turn. */
  over: boolean;
}

export interface TurnPlace {
  readonly busy: boolean;
  readonly ready: Promise<void>;
  leave(): void;
}

const works = new WeakMap<Session, TurnQueue>();

export function turnQueueOf(session: Session): TurnQueue {
  const known = works.get(session);
  if (known) return known;
  const work = createWork(session);
  works.set(session, work);
  return work;
}

function createWork({ info }: Session): TurnQueue {
  let last: Promise<void> | undefined;
  const { waiting = [] } = info.state.settings;
  return {
    enter() {
      const before = last;
      const { promise, resolve } = Promise.withResolvers<void>();
      // A turn that leaves the line early must not let the next one in before its time.
      const over = Promise.all([before, promise]).then(() => {
        if (last === over) last = undefined;
      });
      last = over;
      let isTurn = before === undefined;
      const ready = (before ?? Promise.resolve()).then(() => {
        isTurn = true;
      });
      return {
        busy: before !== undefined,
        ready,
        leave() {
          resolve();
          // At once: a message right after a turn does not have to wait for it.
          if (isTurn && last === over) last = undefined;
        },
      };
    },
    recovered: false,
    queued: new Map(),
    waiting,
  };
}

const running = new Map<SessionId, number>();

/** Notes that this process runs a turn in the session, until what it gives back is called. */
export function markRunning(id: SessionId): () => void {
  const count = (by: number) => {
    const left = (running.get(id) ?? 0) + by;
    if (left > 0) running.set(id, left);
    else running.delete(id);
  };
  count(1);
  return () => count(-1);
}

/** Whether this process runs a turn in the session. */
export function runsHere(id: SessionId): boolean {
  return running.has(id);
}

/** Lets automatic compaction try again after it stopped: a person did something about it. */
export function resumeCompaction(session: Session): void {
  turnQueueOf(session).compaction?.auto.resume();
}

/** Gives up the summary in preparation. Call it before the session is closed. */
export async function stopBackground(session: Session): Promise<void> {
  const { compaction, background } = turnQueueOf(session);
  const cancelled = compaction?.auto.cancel();
  compaction?.stop.abort();
  await Promise.all([cancelled, background]);
}

/** Two runs in one session would run tools twice, so a turn holds the lease. */
export function refuseReader(session: Session): void {
  checkArgument(session, 'session', { call: 'a turn' });
  const { id, mode } = session;
  if (mode === 'write') return;
  throw new ThroughlineError(
    'usage',
    `Session "${id}" was opened in mode "${mode}". Open it to write before running a turn in it.`,
    { details: { session: id, mode } },
  );
}

/** Waits for `work`, but no longer than until the signal aborts: a tool that ignores its signal does not delay the turn. */
export function stoppableTurn<T>(work: Promise<T> | T, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = () => reject(new Stopped());
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  // Also after the wait has ended: a failure that comes later must not count as unhandled.
  Promise.resolve(work)
    .then(resolve, reject)
    .finally(() => signal.removeEventListener('abort', stop));
  return promise;
}

export class Stopped extends Error {
  override readonly name = 'Stopped';
}
