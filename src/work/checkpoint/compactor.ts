import {
  type AutoCompaction,
  type AutoOptions,
  type CompactionResult,
  compactSession,
  createAutoCompaction,
  createDraftKeeper,
  type Load,
  PRESETS,
  type Summariser,
  withInstructions,
} from '../../compaction/index.ts';
import { isThroughlineError } from '../../errors.ts';
import type { CompactionSettings, SessionId, SessionInfo } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { WorkEvent } from '../desk.ts';

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

interface CompactorOptions {
  readonly budget: number;
  readonly summariser: Summariser | undefined;
  /** What the agent of a session wants kept in summaries. */
  readonly instructionsFor: (info: SessionInfo) => Promise<string | undefined>;
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
export function createCompactor(options: CompactorOptions): Compactor {
  const { budget, summariser, instructionsFor, measure, now, emit } = options;
  // A digest takes no time worth hiding, so without a model nothing is prepared before it is needed.
  const soft = summariser ? PRESETS.checkpoint.soft : 1;
  const settings: CompactionSettings = { ...PRESETS.checkpoint, trigger: { tokens: budget }, soft };
  const watched = new Map<Session, Promise<Watched>>();
  const running = new Map<SessionId, Promise<unknown>>();

  async function howFor({ info }: Session): Promise<Pick<AutoOptions, 'settings' | 'summariser'>> {
    if (!summariser) return { settings };
    return { settings, summariser: withInstructions(summariser, await instructionsFor(info)) };
  }

  function watch(session: Session): Promise<Watched> {
    const start = async () => {
      const load = () => measure(session.id);
      const create = session.info.state.settings.askFirst ? createDraftKeeper : createAutoCompaction;
      return { auto: create(session, { ...(await howFor(session)), measure: load, now }) };
    };
    const one = watched.get(session) ?? start();
    watched.set(session, one);
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
    try {
      const one = await watch(session);
      await resumeLater(one, session);
      const outcome = await one.auto.consider();
      if (outcome.did === 'compact') tell(session.id, outcome.result);
      if (outcome.did === 'draft') emit({ type: 'draft-wait', session: session.id, draft: outcome.draft.id });
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
      const result = await alone(session.id, async () => {
        (await watch(session)).auto.resume();
        return compactSession(session, await howFor(session));
      });
      tell(session.id, result);
      return result;
    },
    stop() {
      for (const one of watched.values())
        void one.then(
          ({ auto }) => auto.cancel(),
          () => {},
        );
    },
  };
}
