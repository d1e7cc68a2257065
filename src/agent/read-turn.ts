import {
  CutBy,
  type EndedTurn,
  type Entry,
  type EntryId,
  isQuestion,
  type Message,
  type Part,
  type PartialAnswer,
  type SessionInfo,
  type StartedTool,
  type SteeringInput,
  type TurnFailure,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { growParts, saidParts, saysAnything, splitAnswer } from './answer/collect-answer.ts';

/** A call that the model asked for and that has no result yet. */
export interface OpenCall {
  readonly answer: Entry & { readonly body: Message };
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  /** Set once it was begun: whether it ran is unknown. */
  readonly started?: StartedTool;
}

/** Where a turn stands. A pure function of its entries, so that going on after a crash is the same as going on. */
export interface TurnState {
  /** The question that began the turn. */
  readonly input: Entry | undefined;
  /** The newest message. */
  readonly last: (Entry & { readonly body: Message }) | undefined;
  readonly open: readonly OpenCall[];
  /** An answer that was being streamed and has no message. */
  readonly partial: { readonly answer: EntryId; readonly model?: string; readonly parts: Part[] } | undefined;
  /** Messages that were handed in while the turn ran, and are no messages of the log yet. */
  readonly steering: readonly SteeringInput[];
  /** How the turn ended, if it did without a whole answer and was not begun again since. */
  readonly ended: (EndedTurn & { readonly at: number }) | undefined;
  /** The turn was begun again, and nothing has been said in it since. */
  readonly begunAgain: boolean;
}

export function readTurn(entries: readonly Entry[]): TurnState {
  let input: Entry | undefined;
  let last: (Entry & { body: Message }) | undefined;
  let open: OpenCall[] = [];
  let partial: { answer: EntryId; model?: string; parts: Part[] } | undefined;
  let steering: SteeringInput[] = [];
  const messages = new Set<EntryId>();
  let ended: TurnState['ended'];
  let begunAgain = false;

  for (const entry of entries) {
    const { body, at } = entry;
    if (body.kind === 'run') {
      if (body.step === 'partial') partial = grown(partial, body);
      if (body.step === 'started') open = withStart(open, body);
      if (body.step === 'steering' && !messages.has(body.input)) steering.push(body);
      if (body.step === 'ended') [ended, begunAgain] = [{ ...body, at }, false];
      if (body.step === 'begun') [ended, begunAgain] = [undefined, true];
    }
    if (body.kind !== 'message') continue;
    last = { ...entry, body };
    messages.add(entry.id);
    begunAgain = false;
    // A whole answer ends the turn whatever was before it, also one that a host writes down.
    if (body.role === 'assistant' && body.status !== 'interrupted') ended = undefined;
    if (partial?.answer === entry.id) partial = undefined;
    // A user message over open calls gives them up.
    if (body.role === 'user') [open, partial] = [[], undefined];
    if (isQuestion(entry)) [input, steering, ended] = [entry, [], undefined];
    else steering = steering.filter((note) => note.input !== entry.id);
    if (body.role === 'assistant') open = [...open, ...callsIn({ ...entry, body })];
    for (const part of body.parts) if (part.type === 'tool-result') open = answered(open, part);
  }
  // A summary of the provider may have been half there: what it replaces is in the log.
  const said = partial && { ...partial, parts: [...splitAnswer(saidParts(partial.parts)).parts] };
  return { input, last, open, partial: said, steering, ended, begunAgain };
}

/** What cut an answer, if it was cut. */
export function cutByOf({ status, meta }: Message): CutBy | undefined {
  const { cutBy } = (meta?.run ?? {}) as { cutBy?: unknown };
  return status === 'interrupted' ? CutBy.safeParse(cutBy).data : undefined;
}

/** Why the provider ended an answer before it was complete, as far as the log tells. */
export function whyCutByProvider({
  parts = [],
  meta,
}: Partial<Pick<Message, 'parts' | 'meta'>>): TurnFailure {
  const { finishReason } = (meta?.run ?? {}) as { finishReason?: unknown };
  const isEmpty = !saysAnything(parts);
  const message =
    finishReason === 'length'
      ? 'The answer reached the limit of its length and was cut there.'
      : finishReason === 'content-filter'
        ? 'A filter of the provider ended the answer before it was complete.'
        : isEmpty
          ? 'The answer was empty.'
          : 'The provider ended the answer before it was complete.';
  return { code: 'answer-cut', message };
}

/** What cut a turn that has no end, as far as the log tells: work that a fork shares may go on in its parent. */
export function cutWithoutEnd(
  entries: readonly Entry[],
  { parent }: Pick<SessionInfo, 'parent'>,
): CutBy | undefined {
  const shared = parent?.relation === 'fork' ? parent.seq : 0;
  const own = ({ seq, body }: Entry) => seq > shared && body.kind === 'run' && body.step !== 'ended';
  return entries.some(own) ? 'crash' : undefined;
}

type Move = 'run-tools' | 'steer' | 'ask' | 'end';

/** What comes next in a turn that is not being interrupted. */
export function nextMove({ last, open, steering }: TurnState): Move {
  if (open.length > 0) return 'run-tools';
  if (steering.length > 0) return 'steer';
  const isAnswer = last?.body.role === 'assistant' && last.body.status !== 'interrupted';
  return isAnswer || !last ? 'end' : 'ask';
}

/** Sizes of pages from the newest entry back: the first holds most turns whole, and what is read beyond a turn is in vain. */
export const FIRST_PAGE = 8;
export const nextPage = (limit: number) => Math.min(limit * 4, 128);

/** The newest turn: from the newest question on, or everything if there is no question. */
export async function readNewestTurn(session: Session): Promise<Entry[]> {
  const pages: Entry[][] = [];
  let limit = FIRST_PAGE;
  for (let upTo = session.info.head; upTo > 0; limit = nextPage(limit)) {
    const page = await session.read({ upTo, order: 'newest-first', limit });
    const end = page.findIndex(isQuestion);
    pages.push(end < 0 ? page : page.slice(0, end + 1));
    if (end >= 0 || page.length < limit) break;
    upTo = page.at(-1)!.seq - 1;
  }
  return inPlace(session, pages.flat().reverse());
}

/** Everything from this entry on. */
export async function readFrom(session: Session, { seq }: Entry): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of session.entries({ after: seq - 1 })) entries.push(entry);
  return inPlace(session, entries);
}

/** Notes and answers with large values in place: a tool is called with its input, not with a reference to it. */
export function inPlace(session: Session, entries: readonly Entry[]): Promise<Entry[]> {
  const matters = ({ body }: Entry) =>
    body.kind === 'run' || (body.kind === 'message' && body.role === 'assistant');
  return Promise.all(entries.map((entry) => (matters(entry) ? session.whole(entry) : entry)));
}

function grown(partial: TurnState['partial'], { answer, model, parts }: PartialAnswer): TurnState['partial'] {
  const known = partial?.answer === answer ? partial : { answer, ...(model && { model }), parts: [] };
  for (const delta of parts) growParts(known.parts, delta);
  return known;
}

function withStart(open: readonly OpenCall[], note: StartedTool): OpenCall[] {
  const at = open.findIndex(
    ({ answer, toolCallId, started }) => answer.id === note.answer && toolCallId === note.call && !started,
  );
  return at < 0 ? [...open] : open.with(at, { ...open[at]!, started: note });
}

/** Tools that the provider runs itself are its own affair. */
function callsIn(answer: Entry & { readonly body: Message }): OpenCall[] {
  return answer.body.parts.flatMap(({ type, toolCallId, toolName, input, providerExecuted }) =>
    type === 'tool-call' && providerExecuted !== true
      ? [{ answer, toolCallId: String(toolCallId), toolName: String(toolName), input }]
      : [],
  );
}

/** Small models number their calls afresh each time, so an id means the oldest open call that has it. */
function answered(open: readonly OpenCall[], { toolCallId }: Part): OpenCall[] {
  const at = open.findIndex((call) => call.toolCallId === toolCallId);
  return at < 0 ? [...open] : open.toSpliced(at, 1);
}
