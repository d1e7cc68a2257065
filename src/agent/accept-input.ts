import { ThroughlineError } from '../errors.ts';
import {
  type Entry,
  type EntryId,
  equalJson,
  type Json,
  type Message,
  type NewEntry,
  newEntryId,
  type Part,
  type SessionId,
  type SessionInfo,
  settingEntry,
  toEntryId,
  type WaitingInput,
} from '../record/index.ts';
import { refuseTrashed, type Session } from '../session/index.ts';
import { closingEntries, steeringMessages } from './close-turn.ts';
import { cutWithoutEnd, readNewestTurn, readTurn } from './read-turn.ts';
import type { Recovery } from './recover-turn.ts';
import { isUnsaved } from './say-kept.ts';
import type { TurnQueue } from './turn-queue.ts';

/**
 * Writes the input down: from here on it cannot be lost. What the turn before it left open is closed in the same append.
 * An input that is there already is found, and its turn goes on.
 */
export async function acceptInput(session: Session, { id, body }: Given, work: TurnQueue): Promise<Entry> {
  const known = await session.store.entry(session.id, id);
  if (!known) await refuseInTrash(session, id, work);
  const released = await release(session, id, work);
  // Appending it again tells whether it is the same one.
  if (known) return (await session.append([...released, { id, body }])).at(-1)!;
  const closing = leftOpen(session.info, await readNewestTurn(session));
  const entries = await session.append([...closing, ...released, { id, body }]);
  return entries.at(-1)!;
}

async function refuseInTrash(session: Session, id: EntryId, work: TurnQueue): Promise<void> {
  const info = await session.refresh();
  if (info.state.trashedAt === undefined) return;
  const waits = (await readWaiting(session, work)).some(({ value }) => value.input === id);
  refuseTrashed(info, { stored: waits ? id : undefined });
}

/** What the next input writes before itself: the end of a turn that was left open, and messages handed in to it. */
export function leftOpen(info: Pick<SessionInfo, 'parent'>, newest: readonly Entry[]): NewEntry[] {
  const before = readTurn(newest);
  return [...closingEntries(before, cutWithoutEnd(newest, info)), ...steeringMessages(before.steering)];
}

/**
 * Writes down an input that has to wait for its turn. One that is there already, as a message or in the queue, is not
 * written down again, and under the same id nothing else is.
 */
export async function storeWaiting(session: Session, { id, body }: Given, work: TurnQueue): Promise<void> {
  const queued = work.queued.get(id);
  if (queued) {
    if (!sameInput(queued.body, body)) throw conflict(session.id, id);
    return queued.stored;
  }
  const stored = storeOnce(session, { id, body }, work);
  work.queued.set(id, { body, stored });
  try {
    await stored;
  } catch (error) {
    work.queued.delete(id);
    throw error;
  }
}

async function storeOnce(session: Session, { id, body }: Given, work: TurnQueue): Promise<void> {
  if (work.current?.handedIn.has(id)) throw conflict(session.id, id);
  const known = await session.store.entry(session.id, id);
  if (known) {
    await session.append([{ id, body }]);
    return;
  }
  // It waits for the disk since before: under the same id it is not written down twice.
  if (isUnsaved(session, id)) await session.flush();
  const waiting = (await readWaiting(session, work)).find(({ value }) => value.input === id);
  if (waiting) {
    if (!sameInput(waiting.value, body)) throw conflict(session.id, id);
    return;
  }
  refuseTrashed(await session.refresh());
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

/** Whether an input is the one that was given under its id before. */
export function sameInput(
  one: Pick<Message, 'parts' | 'meta'>,
  other: Pick<Message, 'parts' | 'meta'>,
): boolean {
  const plain = ({ parts, meta }: Pick<Message, 'parts' | 'meta'>) =>
    JSON.parse(JSON.stringify({ parts, meta: meta ?? {} })) as Json;
  return equalJson(plain(one), plain(other));
}

export function conflict(session: SessionId, id: EntryId): ThroughlineError {
  return new ThroughlineError(
    'entry-conflict',
    `Session "${session}" has a message ${id} already, and it says something else. Give the new one an id of its own.`,
    { details: { session, entry: id } },
  );
}

/** The inputs that still wait, oldest first. Those of a parent run in the parent; one that has its message waits no longer. */
export async function readWaiting(
  session: Session,
  { waiting }: TurnQueue,
): Promise<{ readonly note: EntryId; readonly value: WaitingInput }[]> {
  const { parent } = session.info;
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const found = await Promise.all(
    waiting.map(async (id) => {
      const entry = await session.store.entry(session.id, id);
      if (!entry || entry.seq <= shared) return [];
      const { body: value } = await session.whole(entry);
      if (value.kind !== 'run' || value.step !== 'waiting') return [];
      return (await session.store.entry(session.id, value.input)) ? [] : [{ note: id, value }];
    }),
  );
  return found.flat();
}

/** The input's turn has come: it waits no longer. */
async function release(session: Session, input: EntryId, work: TurnQueue): Promise<NewEntry[]> {
  work.queued.delete(input);
  if (work.waiting.length === 0) return [];
  const waiting = await readWaiting(session, work);
  const rest = waiting.filter(({ value }) => value.input !== input).map(({ note }) => note);
  if (rest.length === work.waiting.length) return [];
  work.waiting = rest;
  return [waitingSetting(rest)];
}

function waitingSetting(waiting: readonly EntryId[]): NewEntry {
  const value = waiting.length === 0 ? null : [...waiting];
  return settingEntry('waiting', value, { by: 'auto' });
}

/** What a person says: a text, or the parts of something that holds more than text. */
export type TurnInput =
  | string
  | readonly Part[]
  | {
      /** Makes a retry safe, in this process or another: the same id goes on with the same turn. */
      readonly id?: EntryId;
      readonly parts: string | readonly Part[];
      readonly meta?: Readonly<Record<string, unknown>>;
    };

/**
 * The place of a message among those that an earlier process accepted and did not begin: the turn that was cut, asked for
 * again by its id, comes before them all; one of them keeps its place; any other comes behind them.
 */
export function orderWaiting(
  { waiting, unfinished }: Pick<Recovery, 'waiting' | 'unfinished'>,
  input: TurnInput,
): { readonly isCut: boolean; readonly before: TurnInput[]; readonly after: TurnInput[] } {
  const id = idOf(input);
  const own = id === undefined ? -1 : waiting.findIndex((one) => idOf(one) === id);
  const others = waiting.toSpliced(own, own === -1 ? 0 : 1);
  const isCut = id !== undefined && id === unfinished?.id;
  const place = isCut ? 0 : own === -1 ? others.length : own;
  return { isCut, before: others.slice(0, place), after: others.slice(place) };
}

function idOf(input: TurnInput): EntryId | undefined {
  return typeof input === 'object' && input !== null && 'parts' in input ? input.id : undefined;
}

/** An input on its way into the log. */
export interface Given {
  readonly id: EntryId;
  readonly body: Message;
}

/** Refuses what says nothing: a blank line is not a query. */
export function readInput(input: TurnInput): Given {
  const isWhole = typeof input === 'object' && input !== null && 'parts' in input;
  const { id = newEntryId(), meta }: Partial<Exclude<TurnInput, string | readonly Part[]>> = isWhole
    ? input
    : {};
  const parts = readParts(isWhole ? input.parts : input);
  if (!parts.some(saysSomething)) {
    throw new ThroughlineError('usage', 'There is nothing to send: the message is empty.');
  }
  return { id: toEntryId(id) ?? id, body: { kind: 'message', role: 'user', parts, ...(meta && { meta }) } };
}

/** The message, as parts. A program without types may hand over anything. */
export function readParts(said: unknown): readonly Part[] {
  if (typeof said === 'string') return [{ type: 'text', text: said }];
  if (!Array.isArray(said)) throw notAnInput(said);
  for (const part of said)
    if (typeof part !== 'object' || part === null)
      throw notAnInput(said, `a list with ${sayKind(part)} in it`);
  return said;
}

function notAnInput(said: unknown, kind = sayKind(said)): ThroughlineError {
  return new ThroughlineError(
    'usage',
    `There is nothing to send: the message is ${kind}. Give a text, a list of parts, or { id, parts }.`,
  );
}

function sayKind(value: unknown): string {
  if (typeof value !== 'object') return typeof value === 'undefined' ? 'undefined' : `a ${typeof value}`;
  return value === null ? 'null' : 'an object without "parts"';
}

function saysSomething({ type, text }: Part): boolean {
  return type !== 'text' || typeof text !== 'string' || text.trim() !== '';
}
