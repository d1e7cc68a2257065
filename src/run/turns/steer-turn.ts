import { ThroughlineError } from '../../errors.ts';
import type { EntryId, SteeringInput } from '../../record/index.ts';
import type { Session } from '../../session/index.ts';
import { refuseReader } from '../refuse-reader.ts';
import { readInput, type TurnInput } from '../turn-input.ts';
import { workOf } from '../work-of.ts';

export interface Steered {
  /** The turn that it was handed in to. */
  readonly turn: EntryId;
  /** The id that the message has. */
  readonly message: EntryId;
}

/**
 * Hands a message in to the turn that is running through this handle. Resolves once it is stored; the model is given it
 * with its next request, behind the results of tools that are being run. A turn that is about to end goes on for it. The
 * same id again changes nothing. Without a running turn the call fails with `turn-not-running` and nothing is stored.
 */
export async function steerTurn(
  session: Session,
  input: TurnInput,
  { turn }: { turn?: EntryId } = {},
): Promise<Steered> {
  refuseReader(session);
  const { id, body } = readInput(input);
  const { current } = workOf(session);
  if (!current || current.over || (turn !== undefined && turn !== current.id)) {
    throw new ThroughlineError(
      'turn-not-running',
      turn === undefined
        ? `No turn is running in session "${session.id}". Send the message as a question of its own.`
        : `Turn ${turn} is not running in session "${session.id}". Send the message as a question of its own.`,
      { details: { session: session.id, ...(turn !== undefined && { turn }) } },
    );
  }
  const steered = { turn: current.id, message: id };
  if (current.handedIn.has(id)) {
    await current.handedIn.get(id);
    return steered;
  }
  const { parts, meta } = body;
  const note: SteeringInput = {
    kind: 'run',
    step: 'steering',
    turn: current.id,
    input: id,
    parts: [...parts],
    ...(meta && { meta }),
  };
  // Before the first await: the turn does not end while this is on its way to the disk.
  const stored = session.append([note]).then(([entry]) => entry!);
  current.handedIn.set(id, stored);
  current.steering.push(stored);
  await stored;
  return steered;
}
