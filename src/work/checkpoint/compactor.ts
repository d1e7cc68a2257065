import {
  type AutoCompaction,
  type CompactionResult,
  type CompactionSettings,
  compactSession,
  createAutoCompaction,
  type Load,
  PRESETS,
  type Summariser,
} from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { SessionId } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { WorkEvent } from '../desk.ts';
import { createWorkSummariser } from './work-summariser.ts';

export interface Compactor {
  /**
   * Compacts if the request would be over its budget. Does nothing while a compaction of the session is under way. Two that
   * did not help stop it for the next twenty messages. A failure becomes an event: the messages are saved already.
   */
  consider(session: Session): Promise<void>;
  /** Compacts now, after the one that is under way. */
  compact(session: Session): Promise<CompactionResult>;
  stop(): void;
}

const RETRY_MESSAGES = 20;

export interface CompactorOptions {
  readonly budget: number;
  readonly summariser: Summariser | undefined;
  /** How full the next request of a session is. */
  readonly measure: (id: SessionId) => Promise<Load>;
  readonly now: () => number;
  readonly emit: (event: WorkEvent) => void;
}

interface Watched {
  readonly auto: AutoCompaction;
  /** Messages of the request when automatic compaction stopped. */
  stoppedAt?: number | undefined;
}

/** Automatic compaction with the preset `checkpoint` for each session of a desk, triggered by the budget of requests. */
export function createCompactor({
  budget,
  summariser: model,
  measure,
  now,
  emit,
}: CompactorOptions): Compactor {
  const summariser = createWorkSummariser(model);
  // A digest takes no time worth hiding, so without a model nothing is prepared before it is needed.
  const soft = model ? PRESETS.checkpoint.soft : 1;
  const settings: CompactionSettings = { ...PRESETS.checkpoint, trigger: { tokens: budget }, soft };
  const watched = new Map<Session, Watched>();
  const running = new Map<SessionId, Promise<unknown>>();

  function watch(session: Session): Watched {
    let one = watched.get(session);
    if (!one) {
      const load = () => measure(session.id);
      one = { auto: createAutoCompaction(session, { settings, summariser, measure: load, now }) };
      watched.set(session, one);
    }
    return one;
  }

  async function alone<T>(id: SessionId, work: () => Promise<T>): Promise<T> {
    const result = work();
    running.set(id, result);
    try {
      return await result;
    } finally {
      if (running.get(id) === result) running.delete(id);
    }
  }

  /** The reason may be gone: another process compacted, or held the lease. One more try for every so many messages. */
  async function resumeLater(one: Watched, { id }: Session): Promise<void> {
    if (one.auto.stopped === undefined) return;
    const { messages } = await measure(id);
    one.stoppedAt ??= messages;
    if (messages >= one.stoppedAt && messages - one.stoppedAt < RETRY_MESSAGES) return;
    one.stoppedAt = undefined;
    one.auto.resume();
  }

  async function attempt(session: Session): Promise<void> {
    const one = watch(session);
    try {
      await resumeLater(one, session);
      const outcome = await one.auto.consider();
      if (outcome.did === 'compact') tell(session.id, outcome.result);
      if (outcome.did === 'stop')
        emit({ type: 'compaction-stop', session: session.id, reason: outcome.reason });
    } catch (error) {
      if (!isThroughlineError(error)) throw error;
      emit({ type: 'compaction-stop', session: session.id, reason: error.message });
    }
  }

  function tell(session: SessionId, { originalTokenCount, compressedTokenCount }: CompactionResult): void {
    emit({ type: 'session-compact', session, saved: Math.max(0, originalTokenCount - compressedTokenCount) });
  }

  return {
    async consider(session) {
      if (!running.has(session.id)) await alone(session.id, () => attempt(session));
    },
    async compact(session) {
      for (let before = running.get(session.id); before; before = running.get(session.id))
        await before.catch(() => {});
      watch(session).auto.resume();
      const result = await alone(session.id, () => compactSession(session, { settings, summariser }));
      tell(session.id, result);
      return result;
    },
    stop() {
      for (const { auto } of watched.values()) void auto.cancel();
    },
  };
}
