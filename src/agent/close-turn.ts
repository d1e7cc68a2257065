import { isThroughlineError } from '../errors.ts';
import {
  type CutBy,
  deriveEntryId,
  type EndedTurn,
  type EntryId,
  type Message,
  type NewEntry,
  type Part,
  type SteeringInput,
  type TurnFailure,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import type { OpenCall, TurnState } from './read-turn.ts';
import type { noteRequest } from './request/note-request.ts';

/**
 * What makes a turn that was cut short whole: the part of the answer that was there, and a result for every call that has
 * none. Handed to one append, so that a kill leaves all of it or nothing.
 */
export function closingEntries(
  { partial, open }: Pick<TurnState, 'partial' | 'open'>,
  by: CutBy | undefined,
): NewEntry[] {
  const cut = partial && interruptedAnswer({ id: partial.answer, ...partial, by });
  return [...closeCalls(open), ...(cut ?? [])];
}

/** The note that a turn ended without a whole answer, and why. */
export function endNote(
  turn: EntryId,
  { status, by, error }: Pick<EndedTurn, 'status' | 'error'> & { readonly by?: CutBy | undefined },
): NewEntry {
  const why = { ...(by && { by }), ...(error && { error }) };
  return { body: { kind: 'run', step: 'ended', turn, status, ...why } };
}

export function turnFailureOf(error: unknown): TurnFailure {
  if (isThroughlineError(error)) return { code: error.code, message: error.message };
  const said = error instanceof Error ? error.message : String(error);
  return { code: 'unexpected', message: `Something unexpected went wrong: ${said}` };
}

/** Messages that were handed in to a turn, as messages of the log. */
export function steeringMessages(steering: readonly SteeringInput[]): NewEntry[] {
  return steering.map(({ turn, input, parts, meta }) => ({
    id: input,
    body: { kind: 'message', role: 'user', parts, meta: { ...meta, run: { steers: turn } } },
  }));
}

interface CutAnswer {
  readonly id: EntryId;
  readonly parts: readonly Part[];
  /** Absent if the log does not tell. */
  readonly by: CutBy | undefined;
  readonly model?: string;
  readonly usage?: Message['usage'];
  readonly durationMs?: number;
  /** About the request that it answers. */
  readonly notes?: ReturnType<typeof noteRequest>;
}

/** The beginning of an answer, and results for the calls in it: none of them was begun. */
export function interruptedAnswer({ id, parts, by, ...fields }: CutAnswer): NewEntry[] {
  const { model, usage, durationMs, notes } = fields;
  const body: Message = {
    kind: 'message',
    role: 'assistant',
    parts,
    status: 'interrupted',
    ...(model !== undefined && { model }),
    ...(usage && { usage }),
    ...(durationMs !== undefined && { durationMs }),
    meta: { run: { ...(by && { cutBy: by }), ...notes?.run }, ...notes?.held },
  };
  const calls = parts.filter(
    ({ type, providerExecuted }) => type === 'tool-call' && providerExecuted !== true,
  );
  return [
    { id, body },
    ...calls.map(({ toolCallId, toolName }, index) =>
      resultEntry({ toolCallId, toolName }, NOT_RUN, closingId(id, toolCallId, index)),
    ),
  ];
}

export function closeCalls(open: readonly OpenCall[]): NewEntry[] {
  return open.map(({ started, answer, ...call }, index) =>
    resultEntry(
      call,
      started ? MAYBE_RUN : NOT_RUN,
      started?.result ?? closingId(answer.id, call.toolCallId, index),
    ),
  );
}

/** An answer with results for the calls in it, as a request says them: none was run, and why. */
export function refusedCalls(parts: readonly Part[], value: string): readonly object[] {
  const calls = parts.filter(({ type }) => type === 'tool-call');
  const results = calls.map(({ toolCallId, toolName }) => resultPart({ toolCallId, toolName }, value));
  return [
    { role: 'assistant', content: parts },
    { role: 'tool', content: results },
  ];
}

/** The same each time, so that a request can be announced before the result is written. */
function closingId(answer: EntryId, toolCallId: unknown, index: number): EntryId {
  return deriveEntryId('not run', answer, String(toolCallId), String(index));
}

export const NOT_RUN = 'Not run: the turn was interrupted before this tool was started.';
export const MAYBE_RUN = 'Interrupted: no result was recorded. The tool may or may not have run.';

function resultEntry(
  { toolCallId, toolName }: { toolCallId: unknown; toolName: unknown },
  value: string,
  id: EntryId,
): NewEntry {
  const part = resultPart({ toolCallId, toolName }, value);
  return { id, body: { kind: 'message', role: 'tool', parts: [part], status: 'interrupted' } };
}

function resultPart(
  { toolCallId, toolName }: { toolCallId: unknown; toolName: unknown },
  value: string,
): Part {
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'error-text', value } };
}

/** Turns that ended because the store could not be written: while that lasts, this process alone knows why. */
const found = new Map<Session, Map<EntryId, TurnFailure>>();

export function noteUnsaved(session: Session, turn: EntryId, error: unknown): void {
  forgetSaved();
  if (session.unsaved.length === 0) return;
  found.set(session, (found.get(session) ?? new Map()).set(turn, turnFailureOf(error)));
}

/** It is run again, or waits again. */
export function forgetUnsaved(session: Session, turn: EntryId): void {
  found.get(session)?.delete(turn);
}

/** Why the turn has no record of its end. Once there is room for what is in memory, the log tells. */
export function whyUnsaved(store: Store, id: Session['id'], turn: EntryId): TurnFailure | undefined {
  forgetSaved();
  for (const [session, turns] of found) {
    const why = session.id === id && session.store === store ? turns.get(turn) : undefined;
    if (why) return why;
  }
  return undefined;
}

function forgetSaved(): void {
  for (const session of found.keys()) if (session.unsaved.length === 0) found.delete(session);
}
