import { ThroughlineError } from '../../errors.ts';
import {
  type Entry,
  type EntryId,
  isQuestion,
  type Seq,
  type SessionInfo,
  type SteeringInput,
} from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { whyUnsaved } from '../close-turn.ts';
import { FIRST_PAGE, nextPage, readTurn } from '../read-turn.ts';
import { isAtWork } from './is-at-work.ts';
import { type TurnRecord, turnRecord } from './turn-record.ts';
import { waitingTurns } from './waiting-turns.ts';

export interface ListTurnsOptions {
  /** At most so many that were begun, 50 unless given. Those that wait are all on the first page. */
  readonly limit?: number;
  /** Only turns whose question stands before this entry: the `seq` of the last turn of the page before. */
  readonly before?: Seq;
}

const LIMIT = 50;
const PAGE = 100;

/** The turns of a session, newest first: those that wait, then the one that runs, then those that are over. */
export async function listTurns(
  store: Store,
  info: SessionInfo,
  { limit = LIMIT, before }: ListTurnsOptions = {},
): Promise<TurnRecord[]> {
  const waiting = before === undefined ? (await waitingTurns(store, info)).reverse() : [];
  const turns: TurnRecord[] = [];
  for await (const entries of turnsBackwards(store, info, before ?? info.head + 1)) {
    if (turns.length >= limit) break;
    const record = await recordOf(store, info, entries);
    if (record) turns.push(record);
  }
  return [...waiting, ...turns];
}

/** The newest turn that was begun. `undefined` if no question was asked. */
export async function newestTurn(store: Store, info: SessionInfo): Promise<TurnRecord | undefined> {
  for await (const entries of turnsBackwards(store, info, info.head + 1))
    return recordOf(store, info, entries);
  return undefined;
}

/** Messages that were handed in to the newest turn and that the model was not given yet, oldest first. */
export async function steeringNotes(
  store: Store,
  info: SessionInfo,
): Promise<{ readonly at: number; readonly note: SteeringInput }[]> {
  for await (const entries of turnsBackwards(store, info, info.head + 1)) {
    const pending = new Set(readTurn(entries).steering.map(({ input }) => input));
    return entries.flatMap(({ at, body }) =>
      body.kind === 'run' && body.step === 'steering' && pending.delete(body.input)
        ? [{ at, note: body }]
        : [],
    );
  }
  return [];
}

/** One turn, by the id of its question. */
export async function getTurn(store: Store, info: SessionInfo, id: EntryId): Promise<TurnRecord> {
  // Its entry is looked for behind it: a turn that begins in between is found there.
  const waiting = (await waitingTurns(store, info)).find((turn) => turn.id === id);
  if (waiting) return waiting;
  const question = await store.entry(info.id, id);
  if (question && isQuestion(question)) {
    const entries = [question];
    for (let after = question.seq; ; ) {
      const page = await store.read(info.id, { after, limit: PAGE });
      const next = page.findIndex(isQuestion);
      entries.push(...(next < 0 ? page : page.slice(0, next)));
      if (next >= 0 || page.length < PAGE) break;
      after = page.at(-1)!.seq;
    }
    return (await recordOf(store, info, entries))!;
  }
  throw new ThroughlineError('turn-not-found', `Session "${info.id}" has no turn ${id}.`, {
    details: { session: info.id, turn: id },
  });
}

/** Only the newest turn can be running. */
async function recordOf(
  store: Store,
  info: SessionInfo,
  entries: readonly Entry[],
): Promise<TurnRecord | undefined> {
  const { id, head } = info;
  const record = turnRecord(info, entries, { isRunning: true });
  if (record?.status !== 'running') return record;
  const isNewest = entries.at(-1)!.seq >= head;
  if (isNewest && (await isAtWork(store, id))) return record;
  const error = whyUnsaved(store, id, record.id);
  const left = turnRecord(info, entries, { isRunning: false })!;
  return error ? { ...left, status: 'failed', cutBy: null, error } : left;
}

/** The entries of each turn, the newest turn first. */
async function* turnsBackwards(store: Store, { id }: SessionInfo, before: Seq): AsyncGenerator<Entry[]> {
  let turn: Entry[] = [];
  let limit = FIRST_PAGE;
  for (let upTo = before - 1; upTo > 0; limit = nextPage(limit)) {
    const page = await store.read(id, { upTo, order: 'newest-first', limit });
    for (const entry of page) {
      turn.push(entry);
      if (!isQuestion(entry)) continue;
      yield turn.reverse();
      turn = [];
    }
    if (page.length < limit) return;
    upTo = page.at(-1)!.seq - 1;
  }
}
