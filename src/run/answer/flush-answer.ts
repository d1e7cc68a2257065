import { isThroughlineError } from '../../errors.ts';
import type { EntryId, PartialAnswer } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import type { PartDelta } from './collect-answer.ts';

// A streamed answer is never more than a second or a few kilobytes ahead of the disk. What is flushed are notes that say
// what the answer grew by; the answer itself is appended once, when it is whole or when it stops.

/** The oldest thing that is not on disk yet is never older than this. */
const MOST_MS = 1_000;
const MOST_CHARACTERS = 4_096;

export interface Flusher {
  add(delta: PartDelta): void;
  /** Writes no more. Resolves once what is on its way is written; what was not flushed is the caller's. */
  stop(): Promise<void>;
}

export function createFlusher(
  session: Session,
  {
    answer,
    model,
    everyMs = MOST_MS,
    onLost,
  }: {
    answer: EntryId;
    model: string;
    everyMs?: number;
    /** The session cannot be written to any more: somebody else has it. There is no point in going on. */
    onLost: (error: unknown) => void;
  },
): Flusher {
  let waiting: PartDelta[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    const parts = waiting;
    waiting = [];
    characters = 0;
    const note: PartialAnswer = { kind: 'run', step: 'partial', answer, model, parts };
    writing = session.append([note]).then(
      () => {},
      (error: unknown) => {
        // A disk that refuses keeps the note in memory and writes it later; the end of the turn tells of it.
        if (!isThroughlineError(error, 'not-saved')) onLost(error);
      },
    );
  }

  return {
    add(delta) {
      const last = waiting.at(-1);
      if (last?.at === delta.at && isMoreText(delta)) waiting[waiting.length - 1] = joined(last, delta);
      else waiting.push(delta);
      characters += typeof delta.text === 'string' ? delta.text.length : MOST_CHARACTERS / 8;
      if (characters >= MOST_CHARACTERS) flush();
      else timer ??= setTimeout(flush, everyMs).unref();
    },
    async stop() {
      clearTimeout(timer);
      waiting = [];
      await writing;
    },
  };
}

const isMoreText = ({ type }: PartDelta) => type === 'text' || type === 'reasoning';

function joined(last: PartDelta, delta: PartDelta): PartDelta {
  return { ...last, ...delta, text: `${String(last.text ?? '')}${String(delta.text ?? '')}` };
}
