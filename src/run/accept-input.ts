import { type Entry, type EntryId, type NewEntry, newEntryId, type WaitingInput } from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { closingEntries, steeringMessages } from './close-turn.ts';
import { readNewestTurn, readTurn } from './read-turn.ts';
import type { Given } from './turn-input.ts';
import type { Work } from './work-of.ts';

/**
 * Writes the input down: from here on it cannot be lost. What the turn before it left open is closed in the same append.
 * An input that is there already is found, and its turn goes on.
 */
export async function acceptInput(session: Session, { id, body }: Given, work: Work): Promise<Entry> {
  const known = await session.store.entry(session.id, id);
  // Appending it again tells whether it is the same one.
  if (known) return (await session.append([{ id, body }]))[0]!;
  const closing = leftOpen(await readNewestTurn(session));
  const released = await release(session, id, work);
  const entries = await session.append([...closing, ...released, { id, body }]);
  return entries.at(-1)!;
}

/** What the next input writes before itself: the end of a turn that was left open, and what was said into it. */
export function leftOpen(newest: readonly Entry[]): NewEntry[] {
  const before = readTurn(newest);
  return [...closingEntries(before, 'crash'), ...steeringMessages(before.steering)];
}

/** Writes down an input that has to wait for its turn. */
export async function storeWaiting(session: Session, { id, body }: Given, work: Work): Promise<void> {
  const note = newEntryId();
  work.waiting = [...work.waiting, note];
  const { parts, meta } = body;
  const value: WaitingInput = {
    kind: 'run',
    step: 'waiting',
    input: id,
    parts: [...parts],
    ...(meta && { meta }),
  };
  await session.append([{ id: note, body: value }, waitingSetting(work.waiting)]);
}

/** The inputs that still wait, oldest first. Those of a parent run in the parent. */
export async function readWaiting(
  session: Session,
  { waiting }: Work,
): Promise<{ readonly note: EntryId; readonly value: WaitingInput }[]> {
  const { parent } = session.info;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const found = await Promise.all(
    waiting.map(async (id) => {
      const entry = await session.store.entry(session.id, id);
      if (!entry || entry.seq <= shared) return [];
      const { body: value } = await session.whole(entry);
      return value.kind === 'run' && value.step === 'waiting' ? [{ note: id, value }] : [];
    }),
  );
  return found.flat();
}

/** The input's turn has come: it waits no longer. */
async function release(session: Session, input: EntryId, work: Work): Promise<NewEntry[]> {
  if (work.waiting.length === 0) return [];
  const waiting = await readWaiting(session, work);
  const rest = waiting.filter(({ value }) => value.input !== input).map(({ note }) => note);
  if (rest.length === work.waiting.length) return [];
  work.waiting = rest;
  return [waitingSetting(rest)];
}

function waitingSetting(waiting: readonly EntryId[]): NewEntry {
  const value = waiting.length === 0 ? null : [...waiting];
  return { body: { kind: 'setting', name: 'waiting', value, by: 'auto' } };
}
