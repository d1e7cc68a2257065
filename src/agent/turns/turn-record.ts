import {
  addUsage,
  type CutBy,
  type Entry,
  type EntryId,
  firstLine,
  type Message,
  NO_USAGE,
  type Seq,
  type SessionInfo,
  type TurnFailure,
  type Usage,
} from '../../record/index.ts';
import { cutByOf, cutWithoutEnd, nextMove, readTurn, whyCutByProvider } from '../read-turn.ts';

/**
 * `waiting`: stored, and another turn is before it. `running`: a process works on it. `complete`: it has a whole answer.
 * The other three have none and can be gone on with: `interrupted` was cut by a person or by the end of a process,
 * `failed` has the error, `step-limit` wants to go on.
 */
export type TurnStatus = 'waiting' | 'running' | 'complete' | 'interrupted' | 'failed' | 'step-limit';

/** A turn as the log tells it. */
export interface TurnRecord {
  /** The id of the question. */
  readonly id: EntryId;
  readonly status: TurnStatus;
  /** The entry of the question; `null` while the turn waits. */
  readonly seq: Seq | null;
  /** How the question begins. */
  readonly question: string;
  /** When the question became an entry of the log, in milliseconds; while it waits, when it was accepted. */
  readonly askedAt: number;
  /** When its turn came; `null` while it waits. */
  readonly beganAt: number | null;
  /** `null` while the turn waits or runs. A process that died tells no end: the last entry of the turn stands for it. */
  readonly endedAt: number | null;
  /** How often it was begun. */
  readonly attempts: number;
  /** The newest answer, whole or not. */
  readonly answer: EntryId | null;
  readonly model: string | null;
  /** Model calls that ended in a whole answer. */
  readonly answers: number;
  /** Of all model calls of the turn, as far as providers reported it. */
  readonly usage: Usage;
  /** What cut an `interrupted` turn, if the log tells. */
  readonly cutBy: CutBy | null;
  /** Why the turn `failed`, why the provider cut it, or why no process begins one that is `waiting`. */
  readonly error: TurnFailure | null;
}

export const isUnfinished = (status: TurnStatus): boolean =>
  status === 'interrupted' || status === 'failed' || status === 'step-limit';

/** A process worked on the turn. A question alone may have come from a file or a host. */
export const wasRun = (entries: readonly Entry[]): boolean => entries.some(({ body }) => body.kind === 'run');

/** Settings, marks and compactions that came later are not of the turn. */
function lastOf(entries: readonly Entry[]): Entry {
  return entries.findLast(({ body }) => body.kind === 'message' || body.kind === 'run')!;
}

/** The record of a turn from its entries, the question first. `isRunning`: a live process holds the session. */
export function turnRecord(
  info: Pick<SessionInfo, 'parent'>,
  entries: readonly Entry[],
  { isRunning, askedAt }: { isRunning: boolean; askedAt?: number },
): TurnRecord | undefined {
  const state = readTurn(entries);
  const { input, last, ended, begunAgain } = state;
  if (input?.body.kind !== 'message') return undefined;
  const said = entries.flatMap(({ id, body }) =>
    body.kind === 'message' && body.role === 'assistant' ? [{ id, ...body }] : [],
  );
  const cut = last && !begunAgain ? cutByOf(last.body) : undefined;
  const isOpen =
    isRunning && (begunAgain || last?.body.status !== 'interrupted' || last.body.role === 'tool');
  const status: TurnStatus =
    ended?.status ?? (nextMove(state) === 'end' ? 'complete' : isOpen ? 'running' : 'interrupted');
  const cutBy = status === 'interrupted' ? (ended?.by ?? cut ?? cutWithoutEnd(entries, info) ?? null) : null;
  return {
    id: input.id,
    status,
    seq: input.seq,
    question: firstLine(input.body),
    askedAt: askedAt ?? input.at,
    beganAt: input.at,
    endedAt: status === 'running' ? null : (ended?.at ?? lastOf(entries).at),
    attempts: 1 + entries.filter(({ body }) => body.kind === 'run' && body.step === 'begun').length,
    answer: said.at(-1)?.id ?? null,
    model: said.findLast(({ model }) => model !== undefined)?.model ?? null,
    answers: said.filter(({ status: how }) => how !== 'interrupted').length,
    usage: said.reduce((sum: Usage, { usage }: Message) => (usage ? addUsage(sum, usage) : sum), NO_USAGE),
    cutBy,
    error: ended?.error ?? (cutBy === 'provider' ? whyCutByProvider(said.at(-1) ?? {}) : null),
  };
}
