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
   * Compacts if the request would be over its budget. Does nothing while a compaction of the session is under way, and
   * after two that did not help nothing until twenty more messages have come. What fails here fails quietly: what was said is saved already.
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
  const autos = new WeakMap<Session, AutoCompaction>();
  const living = new Set<AutoCompaction>();
  const running = new Map<SessionId, Promise<unknown>>();
  const stoppedAt = new Map<AutoCompaction, number>();

  function autoOf(session: Session): AutoCompaction {
    let auto = autos.get(session);
    if (!auto) {
      auto = createAutoCompaction(session, {
        settings,
        summariser,
        measure: () => measure(session.id),
        now,
      });
      autos.set(session, auto);
      living.add(auto);
    }
    return auto;
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

  /** What stopped it may have passed: another process compacted, or held the lease. One try for so many messages. */
  async function resumeLater(auto: AutoCompaction, { id }: Session): Promise<void> {
    if (auto.stopped === undefined) return;
    const { messages } = await measure(id);
    const since = stoppedAt.get(auto) ?? messages;
    stoppedAt.set(auto, since);
    if (messages < since || messages - since >= RETRY_MESSAGES) {
      stoppedAt.delete(auto);
      auto.resume();
    }
  }

  async function attempt(session: Session): Promise<void> {
    try {
      await resumeLater(autoOf(session), session);
      const outcome = await autoOf(session).consider();
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
      autoOf(session).resume();
      const result = await alone(session.id, () => compactSession(session, { settings, summariser }));
      tell(session.id, result);
      return result;
    },
    stop() {
      for (const auto of living) void auto.cancel();
    },
  };
}
