import { ThroughlineError } from '../errors.ts';
import { type Entry, isQuestion } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { TurnInput } from './accept-input.ts';
import { runTurn } from './run-turn.ts';
import type { TurnResult } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';

/** Goes on with the newest turn, if it was cut short, failed, or reached its limit; gives its result if it is over. */
export async function continueTurn(session: Session, options: TurnOptions = {}): Promise<TurnResult> {
  for await (const found of newestFirst(session)) {
    if (isQuestion(found)) return runTurn(session, await inputOf(session, found), options);
  }
  throw new ThroughlineError(
    'usage',
    `Nothing was asked in session "${session.id}" yet, so there is nothing to go on with.`,
    { details: { session: session.id } },
  );
}

/** A question of the log as the input that it was: given to `runTurn` again, its turn goes on. */
export async function inputOf(session: Session, question: Entry): Promise<TurnInput> {
  const { id, body } = await session.whole(question);
  if (body.kind !== 'message') throw new Error(`bug: entry ${id} should be a question`);
  const { parts, meta } = body;
  return { id, parts, ...(meta && { meta }) };
}

const PAGE = 50;

async function* newestFirst(session: Session) {
  for (let upTo = session.info.head; upTo > 0; ) {
    const page = await session.read({ upTo, only: 'messages', order: 'newest-first', limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    upTo = page.at(-1)!.seq - 1;
  }
}
