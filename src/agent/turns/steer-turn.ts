import { ThroughlineError } from '../../errors.ts';
import {
  type Entry,
  type EntryId,
  type Message,
  type SessionInfo,
  type SteeringInput,
  steeredTurn,
} from '../../record/index.ts';
import { refuseTrashed, type Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { conflict, type Given, readInput, readWaiting, sameInput, type TurnInput } from '../accept-input.ts';
import { sayKept } from '../say-kept.ts';
import { refuseReader, turnQueueOf } from '../turn-queue.ts';
import { steeringNotes } from './read-turns.ts';

export interface Steered {
  /** The turn that it was handed in to. */
  readonly turn: EntryId;
  /** The id that the message has. */
  readonly message: EntryId;
}

/**
 * Hands a message in to the turn that is running through this handle. Resolves once it is stored; the model is given it
 * with its next request, behind the results of tools that are being run. A turn that is about to end goes on for it. The
 * same message under the same id again gives the first result, also when the turn is over. Without a running turn the
 * call fails with `turn-not-running` and nothing is stored.
 */
export async function steerTurn(
  session: Session,
  input: TurnInput,
  { turn }: { turn?: EntryId } = {},
): Promise<Steered> {
  refuseReader(session);
  const given = readInput(input);
  const { id, body } = given;
  const { current } = turnQueueOf(session);
  if (!current || current.over || (turn !== undefined && turn !== current.id)) {
    const before = await findSteered(session.store, await session.refresh(), given);
    if (before) return before;
    throw turnNotRunning(session.id, turn);
  }
  const known = current.handedIn.get(id);
  if (known) {
    if (!sameInput(known.body, body)) throw conflict(session.id, id);
    return (await known.stored).steered;
  }
  // Before the first await: the turn does not end while this is on its way to the disk.
  const stored = storeSteering(session, current.id, given);
  current.handedIn.set(id, { body, stored });
  const entry = stored.then((kept) => kept.entry);
  // The turn reads it later. A refusal before that is the caller's to hear, and must not end the process.
  entry.catch(() => {});
  current.steering.push(entry);
  return (await stored).steered;
}

/** Nothing is stored under the id of a message that was handed in before, and an id that was sent or waits is refused. */
async function storeSteering(
  session: Session,
  turn: EntryId,
  given: Given,
): Promise<{ readonly steered: Steered; readonly entry?: Entry }> {
  const { id, body } = given;
  const before = await findSteered(session.store, await session.refresh(), given);
  if (before) return { steered: before };
  refuseTrashed(session.info);
  const waiting = await readWaiting(session, turnQueueOf(session));
  const isTaken =
    waiting.some(({ value }) => value.input === id) || (await session.store.entry(session.id, id));
  if (isTaken) throw conflict(session.id, id);
  const { parts, meta } = body;
  const note: SteeringInput = {
    kind: 'run',
    step: 'steering',
    turn,
    input: id,
    parts: [...parts],
    ...(meta && { meta }),
  };
  const [entry] = await session.append([note]).catch(async (error: unknown) => {
    throw await sayKept(session, id, error);
  });
  return { steered: { turn, message: id }, entry: entry! };
}

/** What became of a message that was handed in before under this id, delivered or not. */
export async function findSteered(
  store: Store,
  info: SessionInfo,
  { id, body }: Given,
): Promise<Steered | undefined> {
  const check = (before: Pick<Message, 'parts' | 'meta'>, turn: EntryId): Steered => {
    if (!sameInput(before, body)) throw conflict(info.id, id);
    return { turn, message: id };
  };
  const entry = await store.entry(info.id, id);
  const turn = entry && steeredTurn(entry);
  if (entry?.body.kind === 'message' && turn !== undefined) {
    const { run: _, ...meta } = entry.body.meta ?? {};
    return check({ parts: entry.body.parts, meta }, turn);
  }
  const pending = (await steeringNotes(store, info)).find(({ note }) => note.input === id);
  return pending && check(pending.note, pending.note.turn);
}

export function turnNotRunning(session: string, turn?: EntryId): ThroughlineError {
  const which = turn === undefined ? 'No turn is' : `Turn ${turn} is not`;
  return new ThroughlineError(
    'turn-not-running',
    `${which} running in session "${session}". Send the message as a question of its own.`,
    { details: { session, ...(turn !== undefined && { turn }) } },
  );
}
