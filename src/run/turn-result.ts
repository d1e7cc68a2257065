import { addUsage, type Entry, NO_USAGE, type Usage } from '../record/index.ts';
import { sayMessage } from '../text/index.ts';

export interface TurnResult {
  /**
   * `complete`: the model is done. `interrupted`: it was stopped; the part of the answer that was there is kept. `step-limit`: it wants to
   * go on, and `continueTurn` lets it.
   */
  readonly status: 'complete' | 'interrupted' | 'step-limit';
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
  const text = sayMessage({ parts: said.at(-1)?.parts ?? [] }, { separator: '' });
  return {
    status,
    input,
    entries,
    text,
    answers: said.filter(({ status }) => status !== 'interrupted').length,
    usage: said.reduce((sum, { usage }) => (usage ? addUsage(sum, usage) : sum), NO_USAGE),
  };
}
