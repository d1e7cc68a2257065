import { isThroughlineError } from '../../errors.ts';
import {
  deriveEntryId,
  type EntryBody,
  type EntryId,
  type Loop,
  type Message,
  type SessionId,
} from '../../record/index.ts';
import { openSession, refuseTrashed, type Session } from '../../session/index.ts';
import { numberQuestion, withoutNumber } from '../../text/index.ts';
import { CheckedLoopOptions, CheckedOutcome, checkCall, checkText, checkValue } from '../check-values.ts';
import type { Desk } from '../desk.ts';
import { buildWorkRequest, considerCompaction } from '../request/build-request.ts';
import type { WorkRequest } from '../request/layout-request.ts';
import { workMessageText } from '../request/message-text.ts';
import { LOOP_OWNER, takeLeft } from '../sessions/left-messages.ts';
import { iterationsBefore, newReturn, roundEntry, withReturn } from './rounds.ts';

// An iteration is three entries, in this order: the question, the agent's answer, the outcome of the checks. Their ids follow
// from the session and the number of the iteration. So a process that takes over after a kill looks up how far the loop came
// and goes on there; nothing is asked twice that was answered, and nothing is written twice.

export interface LoopOptions {
  /** The next question. `before` is how the last iteration came out. */
  prompt(iteration: number, before: Loop | undefined): string | Promise<string>;
  /** Puts the request to an agent. */
  ask(
    request: WorkRequest,
    run: { readonly iteration: number; readonly signal: AbortSignal },
  ): Promise<string>;
  /** Does what the answer says. After a kill it may be done again with the same answer, so twice has to be as once. */
  apply?(answer: string, run: { readonly iteration: number }): Promise<void>;
  /** Build, lint, test: which pass, which fail, and what the last failure said. */
  check(run: { readonly iteration: number }): Promise<CheckOutcome>;
  /** In one round: a task that is sent back begins another. 20 unless given. */
  readonly maxIterations?: number;
  /** Compacts after every so many iterations as well. 0 unless given: only a request over the budget is compacted. */
  readonly checkpointEvery?: number;
  readonly signal?: AbortSignal;
  readonly onIteration?: (loop: Loop) => void;
}

export interface CheckOutcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly lastError?: string | null;
}

export interface LoopResult {
  /** `passed`: nothing fails any more. `limit`: it was given no more iterations. `stopped`: its signal was aborted. */
  readonly status: 'passed' | 'limit' | 'stopped';
  readonly iterations: number;
  readonly loop: Loop | undefined;
}

const MOST_ITERATIONS = 20;
const LONGEST_ERROR = 4000;
const NEVER = new AbortController().signal;

/**
 * Lets an agent work in a session until all checks pass. Holds the session's lease: a second loop in the same session is
 * `lease-held`, and messages that other processes add wait until the next question. Run again after a kill at any point,
 * it goes on where it was; run again after its task was sent back, it begins another round.
 */
export async function runWorkLoop(desk: Desk, id: SessionId, options: LoopOptions): Promise<LoopResult> {
  checkCall(CheckedLoopOptions, options, 'runLoop');
  await using session = await openSession(desk.store, id, { owner: LOOP_OWNER, now: desk.now });
  refuseTrashed(session.info);
  const release = desk.hold(session);
  try {
    const result = await iterate(desk, session, options);
    await takeLeft(session);
    return result;
  } finally {
    release();
  }
}

async function iterate(desk: Desk, session: Session, options: LoopOptions): Promise<LoopResult> {
  const { maxIterations = MOST_ITERATIONS, signal = NEVER } = options;
  let loop = await checkAgain(desk, session, options);
  for (let iteration = loop?.iteration ?? 0; ; iteration++) {
    const end = (status: LoopResult['status']): LoopResult => ({ status, iterations: iteration, loop });
    await checkpointAfter(desk, session, { iteration, every: options.checkpointEvery ?? 0 });
    if (loop && loop.failed.length === 0) return end('passed');
    if (iteration - iterationsBefore(session) >= maxIterations) return end('limit');
    if (signal.aborted) return end('stopped');
    try {
      loop = await oneIteration(desk, session, { iteration: iteration + 1, before: loop, options, signal });
    } catch (error) {
      if (signal.aborted) return end('stopped');
      throw error;
    }
    options.onIteration?.(loop);
  }
}

/**
 * A loop that has passed is checked again: the code may have changed since. If its task was sent back, it goes on even if
 * every check passes.
 */
async function checkAgain(
  desk: Desk,
  session: Session,
  { check, signal = NEVER }: LoopOptions,
): Promise<Loop | undefined> {
  const { loop: before } = await desk.sessions.read(session.id);
  if (signal.aborted) return before;
  const back = await newReturn(desk, session.info);
  const iteration = before?.iteration ?? 0;
  const round = back ? [roundEntry(back, { after: iteration })] : [];
  if (!before || before.failed.length > 0) {
    if (round.length > 0) await session.append(round);
    return before;
  }
  const now = toLoop(iteration, await check({ iteration }), givenBy('check', iteration));
  const loop = back ? withReturn(now, back) : now;
  if (loop.failed.length === 0) return before;
  await session.append([loop, ...round]);
  return loop;
}

async function oneIteration(
  desk: Desk,
  session: Session,
  {
    iteration,
    before,
    options,
    signal,
  }: { iteration: number; before: Loop | undefined; options: LoopOptions; signal: AbortSignal },
): Promise<Loop> {
  const idOf = (step: string) => entryId(session, iteration, step);
  await takeLeft(session);
  const asked = await once(session, idOf('ask'), async () => {
    const question = checkText(await options.prompt(iteration, before), givenBy('prompt', iteration));
    return said('user', numberQuestion(iteration, question));
  });
  const prompt = withoutNumber(workMessageText(asked as Message));
  const answered = await once(session, idOf('answer'), async () => {
    const request = await buildWorkRequest(desk, session.id, prompt);
    return said(
      'assistant',
      checkText(await options.ask(request, { iteration, signal }), givenBy('ask', iteration)),
    );
  });
  const came = await once(session, idOf('outcome'), async () => {
    await options.apply?.(workMessageText(answered as Message), { iteration });
    return toLoop(iteration, await options.check({ iteration }), givenBy('check', iteration));
  });
  await considerCompaction(desk, session.id);
  return came as Loop;
}

function givenBy(callback: string, iteration: number): string {
  return `The value that \`${callback}\` gave for iteration ${iteration}`;
}

function entryId({ id }: Session, iteration: number, step: string): EntryId {
  return deriveEntryId('work-loop', id, String(iteration), step);
}

/** The entry of the log with this id; made and written if there is none. */
async function once(session: Session, id: EntryId, make: () => Promise<EntryBody>): Promise<EntryBody> {
  const there = await session.store.entry(session.id, id);
  if (there) return (await session.whole(there)).body;
  const body = await make();
  await session.append([{ id, body }]);
  return body;
}

/**
 * Also after a kill between the outcome and its checkpoint. Once the next question is asked it was made, or there was
 * nothing to make it of; then one made now would cover something else than it would have then.
 */
async function checkpointAfter(
  desk: Desk,
  session: Session,
  { iteration, every }: { iteration: number; every: number },
): Promise<void> {
  if (every === 0 || iteration === 0 || iteration % every !== 0) return;
  if (await session.store.entry(session.id, entryId(session, iteration + 1, 'ask'))) return;
  try {
    await desk.compactor.compact(session);
  } catch (error) {
    const harmless = ['nothing-to-compact', 'compaction-stale', 'summary-rejected'] as const;
    if (!harmless.some((code) => isThroughlineError(error, code))) throw error;
  }
}

export function toLoop(
  iteration: number,
  outcome: CheckOutcome,
  what: string = 'The outcome of a loop',
): Loop {
  checkValue(CheckedOutcome, outcome, what);
  const { passed, failed, lastError } = outcome;
  const shown = lastError == null ? null : [...lastError.toWellFormed()].slice(-LONGEST_ERROR).join('');
  return { kind: 'loop', iteration, passed: [...passed], failed: [...failed], lastError: shown };
}

function said(role: 'user' | 'assistant', text: string): Message {
  return { kind: 'message', role, parts: [{ type: 'text', text }] };
}
