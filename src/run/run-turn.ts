import { cutAnswers } from '../context/index.ts';
import { type Entry, newEntryId } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { acceptInput, storeWaiting } from './accept-input.ts';
import { askStep } from './answer/ask-step.ts';
import { closeCalls, interruptedAnswer } from './close-turn.ts';
import { inPlace, nextMove, readFrom, readTurn } from './read-turn.ts';
import { recover } from './recover-turn.ts';
import { refuseReader } from './refuse-reader.ts';
import { runTools } from './tools/run-tools.ts';
import { prepareTurn, type Turn, toolsOf } from './turn.ts';
import { quietly, type TurnEvent } from './turn-event.ts';
import { type Given, readInput, type TurnInput } from './turn-input.ts';
import type { TurnOptions } from './turn-options.ts';
import { resultOf, type TurnResult } from './turn-result.ts';
import { type Work, workOf } from './work-of.ts';

const MOST_STEPS = 50;

/**
 * Runs one turn: writes the input down, asks the model, writes its answer down, runs the tools it asks for, and asks again
 * until it is done. A turn that was cut short goes on when the same input, by its id, is given again; one that is over
 * gives its result again. While another turn runs in the session, the input is stored and waits.
 *
 * Fails with the code of what went wrong; the input is kept, and so is what there was of the answer.
 */
export async function runTurn(
  session: Session,
  input: TurnInput,
  options: TurnOptions = {},
): Promise<TurnResult> {
  refuseReader(session);
  const given = readInput(input);
  const emit = quietly(options.onEvent);
  const work = workOf(session);
  const place = work.enter();
  try {
    if (place.busy) {
      await storeWaiting(session, given, work);
      emit({ type: 'input-stored', id: given.id, waiting: true });
    }
    await place.ready;
    const result = await drive(session, given, { options, emit, work });
    emit({ type: 'turn-end', result });
    return result;
  } finally {
    place.leave();
  }
}

const NEVER = new AbortController().signal;

async function drive(
  session: Session,
  given: Given,
  { options, emit, work }: { options: TurnOptions; emit: (event: TurnEvent) => void; work: Work },
): Promise<TurnResult> {
  // While something is not saved, no new turn is taken.
  await session.flush();
  if (!work.recovered) await recover(session, work, { tools: toolsOf(options) });
  const input = await acceptInput(session, given, work);
  emit({ type: 'input-stored', id: input.id, waiting: false });

  const entries = await readFrom(session, input);
  const later = entries.findIndex((entry) => entry.id !== input.id && isQuestion(entry));
  if (later > 0) return settled(input, entries.slice(0, later));
  if (nextMove(readTurn(entries)) === 'end') return resultOf('complete', input, entries);

  const { signal = NEVER } = options;
  const hidden = () => cutAnswers(entries);
  const turn = await prepareTurn(session, work, { input, options, signal, emit, hidden });
  const status = await takeSteps(turn, entries);
  turn.room.after();
  return resultOf(status, input, entries);
}

/** The loop. Every round starts from what is in the log, so it does not matter where it was entered. */
async function takeSteps(turn: Turn, entries: Entry[]): Promise<TurnResult['status']> {
  const { signal, options } = turn;
  for (let step = 1; ; ) {
    const state = readTurn(entries);
    const move = nextMove(state);
    if (move === 'end') return 'complete';
    if (signal.aborted) return stop(turn, entries);
    if (move === 'run-tools') {
      const { session, tools, offered, emit } = turn;
      const { approve } = options;
      entries.push(...(await runTools(state.open, { session, tools, offered, approve, signal, emit })));
      continue;
    }
    if (step > (options.maxSteps ?? MOST_STEPS)) return 'step-limit';
    const { entries: appended, answered } = await askStep(turn, step++);
    entries.push(...(await inPlace(turn.session, appended)));
    if (!answered) return stop(turn, entries);
  }
}

/** Somebody has stopped the turn: calls get results, and the newest message says that it was interrupted. */
async function stop(turn: Turn, entries: Entry[]): Promise<TurnResult['status']> {
  const { open, last } = readTurn(entries);
  const cut = last?.body.role === 'assistant' && last.body.status === 'interrupted';
  const marker = cut
    ? []
    : interruptedAnswer({ id: newEntryId(), parts: [], by: 'person', model: turn.model.id });
  const closing = [...closeCalls(open), ...marker];
  if (closing.length > 0) entries.push(...(await turn.session.append(closing)));
  return 'interrupted';
}

const isQuestion = ({ body }: Entry) => body.kind === 'message' && body.role === 'user';

/** A turn that others have followed is history: it is told, not run. */
function settled(input: Entry, entries: readonly Entry[]): TurnResult {
  const { last } = readTurn(entries);
  const whole = last?.body.role === 'assistant' && last.body.status !== 'interrupted';
  return resultOf(whole ? 'complete' : 'interrupted', input, entries);
}
