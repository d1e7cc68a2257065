import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import {
  type Entry,
  type EntryId,
  equalJson,
  type Message,
  type SessionId,
  settingEntry,
  settingsOf,
  toEntryId,
} from '../../record/index.ts';
import { getSession, type Session } from '../../session/index.ts';
import type { Desk } from '../desk.ts';

// A loop holds the lease of its session for as long as it runs, and only settings are written without it. So a message of
// another process is left as a setting. The loop writes it into the conversation before its next question, and so does
// the next writer after a loop that has ended or was killed: the message and the end of the setting are one append.

/** The owner of the lease while a loop runs. */
export const LOOP_OWNER = 'work loop';

/** True if a write was refused because a loop runs in the session, in this process or another. */
export function isLoopHeld(error: unknown): boolean {
  if (!isThroughlineError(error, 'lease-held')) return false;
  return (error.details?.holder as { name?: unknown } | undefined)?.name === LOOP_OWNER;
}

/** Leaves a message for the loop. The entry has the number of the note that it waits in. */
export async function leaveMessage(
  { store, now }: Desk,
  session: SessionId,
  { id: given, body }: { id: EntryId; body: Message },
): Promise<Entry & { waiting?: true }> {
  const id = toEntryId(given);
  if (id === undefined) throw new ThroughlineError('entry-invalid', `Not appended: "${given}" is no UUID.`);
  const known = await store.entry(session, id);
  const { settings } = (await getSession(store, session)).state;
  const at = now();
  const value = { session, role: body.role as 'user' | 'assistant', text: String(body.parts[0]?.text), at };
  const before = settings[`left:${id}`];
  if ((known && !equalJson(known.body, body)) || (before && !equalJson({ ...before, at }, value)))
    throw new ThroughlineError(
      'entry-conflict',
      `Session "${session}" has a message ${id} already, and it says something else. Give the new one an id of its own.`,
      { details: { session, entry: id } },
    );
  if (known) return known;
  const [note] = await store.append(session, [
    settingEntry(`left:${id}`, before ?? value, { by: 'user', at }),
  ]);
  return { ...note!, id, body, waiting: true };
}

/** Writes the messages that were left into the conversation, oldest first. */
export async function takeLeft(session: Session): Promise<void> {
  const { state } = await session.refresh();
  const left = settingsOf(state.settings, 'left:').sort(([, a], [, b]) => a.at - b.at);
  if (left.length === 0) return;
  await session.append(
    left.flatMap(([id, { session: wanted, role, text, at }]) => {
      const taken = settingEntry(`left:${id}`, null, { by: 'auto' });
      if (wanted !== session.id) return [taken];
      const body: Message = { kind: 'message', role, parts: [{ type: 'text', text }] };
      return [{ id, at, body }, taken];
    }),
  );
}

/** As `takeLeft`, unless the session is held: then its holder takes them. */
export async function takeLeftIfFree(desk: Desk, id: SessionId): Promise<void> {
  if (desk.store.facts.readOnly !== undefined) return;
  try {
    await takeLeft(await desk.handle(id));
  } catch (error) {
    if (!isThroughlineError(error, 'lease-held')) throw error;
  }
}
