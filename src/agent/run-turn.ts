import { cutAnswers } from '../context/index.ts';
import { isThroughlineError, ThroughlineError } from '../errors.ts';
import {
  type CutBy,
  checkOptions,
  type Entry,
  type EntryId,
  isQuestion,
  newEntryId,
  type OptionKinds,
  type TurnFailure,
} from '../record/index.ts';
import { refuseTrashed, type Session } from '../session/index.ts';
import { acceptInput, type Given, readInput, storeWaiting, type TurnInput } from './accept-input.ts';
import { askStep } from './answer/ask-step.ts';
import {
  closeCalls,
  endNote,
  forgetUnsaved,
  interruptedAnswer,
  noteUnsaved,
  steeringMessages,
  turnFailureOf,
} from './close-turn.ts';
import { refuseNoAgent } from './definition/agent.ts';
import { cutByOf, inPlace, nextMove, readFrom, readTurn } from './read-turn.ts';
import { recover } from './recover-turn.ts';
import { sayKept } from './say-kept.ts';
import { runTools } from './tools/run-tools.ts';
import { openTurn, type Turn, toolsOf } from './turn.ts';
import { quietly, resultOf, type TurnEvent, type TurnResult } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';
import { markRunning, refuseReader, type TurnPlace, type TurnQueue, turnQueueOf } from './turn-queue.ts';

const MOST_STEPS = 50;

const OPTIONS: OptionKinds<Required<TurnOptions>> = {
  model: 'anything',
  tools: 'object',
  optionalTools: 'list',
  toolsOnceCompacted: 'function',
  countTokens: 'function',
  agent: 'anything',
  agentProblem: 'text',
  refresh: 'function',
  signal: 'signal',
  shutdown: 'signal',
  onEvent: 'function',
  approve: 'function',
  head: 'list',
  recall: 'function',
  knowledge: 'function',
  budget: 'object',
  compaction: ['object', 'false'],
  maxSteps: 'number',
  retry: 'object',
  timeoutMs: 'number',
  providerOptions: 'object',
  temperature: 'number',
  openModel: 'object',
};

/**
 * Runs one turn: writes the input down, asks the model, writes its answer down, runs the tools it asks for, and asks again
 * until it is done. A turn that was cut short goes on when the same input, by its id, is given again; one that is over
 * gives its result again. While another turn runs in the session, the input is stored and waits.
 *
 * Fails with the code of what went wrong; the input is kept, and so are the part of the answer that was there and the
 * error, in the turn's record.
 */
export async function runTurn(
  session: Session,
  input: TurnInput,
  options: TurnOptions = {},
): Promise<TurnResult> {
  checkTurnOptions(options);
  refuseReader(session);
  const given = readInput(input);
  const emit = quietly(options.onEvent);
  const work = turnQueueOf(session);
  const place = work.enter();
  const over = markRunning(session.id);
  try {
    if (place.busy) {
      await storeWaiting(session, given, work);
      forgetUnsaved(session, given.id);
      emit({ type: 'input-stored', id: given.id, waiting: true });
    }
    await readyUnlessShutdown(place, options.shutdown);
    // Options that cannot be had anew are those of before: their failure is the turn's, and is written down with it.
    const fresh = place.busy ? await options.refresh?.().catch(() => undefined) : undefined;
    const result = await drive(session, given, { options: fresh ?? options, emit, work });
    emit({ type: 'turn-end', result });
    return result;
  } catch (error) {
    if (isThroughlineError(error, 'not-saved')) noteUnsaved(session, given.id, error);
    throw await sayKept(session, given.id, error);
  } finally {
    over();
    place.leave();
  }
}

/** Refuses what a turn cannot be run with, before anything is stored. */
function checkTurnOptions(options: TurnOptions): void {
  checkOptions(options, OPTIONS, { call: 'runTurn' });
  const { agent, timeoutMs } = options;
  if (agent != null) refuseNoAgent(agent);
  if (timeoutMs == null || timeoutMs > 0) return;
  throw new ThroughlineError('usage', `"timeoutMs" has to be more than 0 milliseconds, and is ${timeoutMs}.`);
}

/** An input that waits when the process ends stays in the queue; one that is not stored yet is not stored at all. */
async function readyUnlessShutdown(place: TurnPlace, shutdown: AbortSignal | undefined): Promise<void> {
  const { promise: ending, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  shutdown?.addEventListener('abort', end, { once: true });
  await Promise.race([place.ready, ending]);
  shutdown?.removeEventListener('abort', end);
  if (shutdown?.aborted !== true) return place.ready;
  throw new ThroughlineError(
    'cancelled',
    place.busy
      ? 'The process is stopping. The message is stored and waits for its turn.'
      : 'The process is stopping. The message was not stored; send it again.',
    { details: { stored: place.busy } },
  );
}

const NEVER = new AbortController().signal;

interface Driving {
  readonly options: TurnOptions;
  readonly emit: (event: TurnEvent) => void;
  readonly work: TurnQueue;
}

async function drive(session: Session, given: Given, driving: Driving): Promise<TurnResult> {
  const { options, emit, work } = driving;
  // While something is not saved, no new turn is taken.
  await session.flush();
  if (!work.recovered) await recover(session, work, { tools: toolsOf(options), goingOn: given.id });
  const input = await acceptInput(session, given, work);
  const entries = await readFrom(session, input);
  const later = entries.findIndex((entry) => entry.id !== input.id && isQuestion(entry));
  const state = readTurn(later > 0 ? entries.slice(0, later) : entries);
  const isOver = later > 0 || nextMove(state) === 'end';
  if (!isOver) refuseTrashed(await session.refresh(), { stored: input.id });
  // Before it is acknowledged: from then on the record of the turn says that it runs.
  if (!isOver && state.ended) entries.push(...(await session.append([begunAgain(input)])));
  forgetUnsaved(session, input.id);
  emit({ type: 'input-stored', id: input.id, waiting: false });
  if (later > 0) return settled(input, entries.slice(0, later));
  if (isOver) return resultOf('complete', input, entries);

  work.current = { id: input.id, steering: [], handedIn: new Map(), over: false };
  try {
    return await take(session, { input, entries, ...driving });
  } catch (error) {
    await noteFailure(session, { input, entries }, error);
    throw error;
  } finally {
    work.current = undefined;
  }
}

async function take(
  session: Session,
  { input, entries, options, emit, work }: Driving & { input: Entry; entries: Entry[] },
): Promise<TurnResult> {
  const { signal = NEVER, shutdown = NEVER } = options;
  const hidden = () => cutAnswers(entries);
  const stop = AbortSignal.any([signal, shutdown]);
  const turn = await openTurn(session, work, { input, options, signal: stop, emit, hidden });
  const status = await takeSteps(turn, entries, work);
  turn.room.after();
  return resultOf(status, input, entries);
}

/** The loop. Every round starts from the log, so it does not matter where it was entered. */
async function takeSteps(turn: Turn, entries: Entry[], work: TurnQueue): Promise<TurnResult['status']> {
  const { signal, options, session } = turn;
  for (let step = 1; ; ) {
    await collectSteering(entries, work);
    const state = readTurn(entries);
    const move = nextMove(state);
    if (move === 'end') {
      // From here on a message is for the next turn. No await stands between the check and this line.
      work.current!.over = true;
      return 'complete';
    }
    if (signal.aborted) return stop(turn, entries);
    if (move === 'run-tools') {
      const { tools, offered, emit, shutdown } = turn;
      const { approve, agent } = options;
      const run = { session, tools, offered, approve, agent, signal, shutdown, emit };
      entries.push(...(await runTools(state.open, run)));
      continue;
    }
    if (move === 'steer') {
      entries.push(...(await session.append(steeringMessages(state.steering))));
      continue;
    }
    if (step > (options.maxSteps ?? MOST_STEPS)) {
      entries.push(...(await session.append([endNote(turn.input.id, { status: 'step-limit' })])));
      return 'step-limit';
    }
    const { entries: appended, answered, cutByProvider } = await askStep(turn, step++);
    entries.push(...(await inPlace(session, appended)));
    if (!answered) return stop(turn, entries, cutByProvider ? 'provider' : turn.by());
  }
}

/** Messages that were handed in since, once they are stored. */
async function collectSteering(entries: Entry[], { current }: TurnQueue): Promise<void> {
  while (current && current.steering.length > 0) {
    for (const stored of await Promise.allSettled(current.steering.splice(0)))
      if (stored.status === 'fulfilled' && stored.value) entries.push(stored.value);
  }
}

/**
 * The turn ends without a whole answer: calls get results, and the newest message says that it was interrupted. A process
 * that ends leaves calls that were not begun as they are: the next process runs them.
 */
async function stop(turn: Turn, entries: Entry[], by: CutBy = turn.by()): Promise<TurnResult['status']> {
  const { open, last } = readTurn(entries);
  const { input, session } = turn;
  const ended = endNote(input.id, { status: 'interrupted', by });
  if (by === 'shutdown') {
    entries.push(...(await session.append([ended])));
    return 'interrupted';
  }
  const cut = last?.body.role === 'assistant' && last.body.status === 'interrupted';
  const marker = cut ? [] : interruptedAnswer({ id: newEntryId(), parts: [], by, model: turn.model.id });
  entries.push(...(await session.append([...closeCalls(open), ...marker, ended])));
  return 'interrupted';
}

function begunAgain({ id: turn }: Entry) {
  return { kind: 'run', step: 'begun', turn } as const;
}

/** Codes after which a note cannot be written. */
const UNWRITABLE = ['lease-lost', 'store-closed'] as const;

/** Writes down why the turn failed. If that cannot be written either, the error itself is all there is. */
async function noteFailure(
  session: Session,
  { input: { id }, entries }: { input: Entry; entries: readonly Entry[] },
  error: unknown,
): Promise<void> {
  if (UNWRITABLE.some((code) => isThroughlineError(error, code))) return;
  if (isThroughlineError(error, 'not-saved')) return noteUnwritten(session, { id, entries });
  try {
    const [newest] = await session.read({ order: 'newest-first', limit: 1 });
    // A part of the answer that was kept has the reason behind it already.
    if (newest?.body.kind === 'run' && newest.body.step === 'ended') return;
    await session.append([endNote(id, { status: 'failed', error: turnFailureOf(error) })]);
  } catch {}
}

/** Behind what is in memory, to be written with it: unless that has the whole answer, or why there is none. */
async function noteUnwritten(
  session: Session,
  { id, entries }: { id: EntryId; entries: readonly Entry[] },
): Promise<void> {
  const late = session.unsaved.map((entry) => ({ seq: 0, at: Date.now(), ...entry }) as Entry);
  const state = readTurn([...entries, ...late]);
  if (late.length === 0 || state.ended || nextMove(state) === 'end') return;
  // A person who stops it, or a provider that cuts it, is the reason before the disk is.
  const by = state.last && !state.begunAgain ? cutByOf(state.last.body) : undefined;
  const why = by
    ? ({ status: 'interrupted', by } as const)
    : ({ status: 'failed', error: UNWRITTEN } as const);
  await session.append([endNote(id, why)]).catch(() => {});
}

const UNWRITTEN: TurnFailure = {
  code: 'not-saved',
  message:
    'The store could not be written for a while (a full disk, for instance), so the turn ended without a whole answer.',
};

/** A turn that others have followed is history: it is reported, not run. */
function settled(input: Entry, entries: readonly Entry[]): TurnResult {
  const { last } = readTurn(entries);
  const whole = last?.body.role === 'assistant' && last.body.status !== 'interrupted';
  return resultOf(whole ? 'complete' : 'interrupted', input, entries);
}
