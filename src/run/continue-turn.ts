import { ThroughlineError } from '../errors.ts';
import type { Session } from '../session/index.ts';
import { isQuestion } from './read-turn.ts';
import { runTurn } from './run-turn.ts';
import type { TurnOptions } from './turn-options.ts';
import type { TurnResult } from './turn-result.ts';

/** Goes on with the newest turn, if it was cut short, failed, or reached its limit; gives its result if it is over. */
export async function continueTurn(session: Session, options: TurnOptions = {}): Promise<TurnResult> {
  for await (const found of newestFirst(session)) {
    if (!isQuestion(found)) continue;
    const { id, body } = await session.whole(found);
    if (body.kind !== 'message') break;
    const { parts, meta } = body;
    return runTurn(session, { id, parts, ...(meta && { meta }) }, options);
  }
  throw new ThroughlineError(
    'usage',
    `Nobody has said anything in session "${session.id}" yet, so there is nothing to go on with.`,
    { details: { session: session.id } },
  );
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
