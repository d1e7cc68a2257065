import { asksFirst, policyOf, wouldCompact } from '../compaction/index.ts';
import type { ContextTool } from '../context/index.ts';
import type { ChosenModel } from '../models/index.ts';
import {
  deriveEntryId,
  type Entry,
  type EntryId,
  type Message,
  type NewEntry,
  type Part,
  type Seq,
} from '../record/index.ts';
import type { Session } from '../session/index.ts';
import { countMessage } from '../tokens/index.ts';
import { leftOpen, readParts } from './accept-input.ts';
import { readNewestTurn } from './read-turn.ts';
import { type Announced, type Elsewhere, type RequestPlan, requestFor } from './request/build-request.ts';
import { offerTools } from './tools/offer-tools.ts';
import { loadInMoney, recallFor, toolsOf } from './turn.ts';
import type { TurnEvent } from './turn-event.ts';
import type { TurnOptions } from './turn-options.ts';
import { turnQueueOf } from './turn-queue.ts';

export interface NextRequest extends Announced {
  /** The tools that the model is offered. */
  readonly tools: readonly ContextTool[];
  /** The turn would compact the session before it sends anything: these are the numbers before that. */
  readonly compacts: boolean;
}

export interface NextRequestOptions {
  readonly model: ChosenModel;
  /**
   * Without one: the request for any next question, without the question and its recalled messages. `again`: the newest
   * question, as `continueTurn` asks it.
   */
  readonly question?: string | readonly Part[] | { readonly again: true } | undefined;
  /** The id that the question will have: one that has to be cut refers to itself by it. */
  readonly id?: EntryId | undefined;
  readonly elsewhere?: Elsewhere | undefined;
}

/**
 * The request that the next turn would begin with, without sending it. With the options that the turn is run with, it is
 * to the byte what the provider receives, unless the turn `compacts` first. The session may be open read-only.
 */
export async function nextRequest(
  session: Session,
  options: TurnOptions,
  { model, question, id, elsewhere }: NextRequestOptions,
): Promise<NextRequest> {
  const info = await session.refresh();
  const { listed: tools } = await offerTools(toolsOf(options));
  const { ahead, input, hidden } = await asking(session, question, id);
  const { recall, signal = NEVER } = options;
  const built = await requestFor(session.store, info, {
    model: model.id,
    around: { ...options, limits: model.limits, tools },
    recalled: input ? await recallFor(info, input, { recall, signal }) : [],
    hidden,
    ahead,
    ...(input && { input: input.id }),
    countTokens: options.countTokens,
    paced: model.price !== undefined,
    elsewhere,
  });
  const settings = policyOf(info, options.compaction);
  const load = await loadInMoney(built.load, model, options.compaction);
  const compacts =
    settings !== false &&
    !asksFirst(info, options.compaction) &&
    (await wouldCompact(session, { load, settings, ahead }));
  return { ...built, load, tools, compacts };
}

const NEVER = new AbortController().signal;
/** More often than any session needs; a policy that is never satisfied must not go on for ever. */
const MOST_ROUNDS = 8;

/**
 * Compacts a session as its next turn would before it asks, if its policy says so, and gives the request after that. A
 * turn that follows at once does not compact again, unless its question leaves no room.
 */
export async function makeReady(
  session: Session,
  options: TurnOptions,
  asked: Omit<NextRequestOptions, 'question' | 'id'>,
): Promise<NextRequest & { readonly compactionId?: string }> {
  const compacted: string[] = [];
  const emit = (event: TurnEvent) => {
    if (event.type !== 'compaction-end' || !('result' in event.outcome)) return;
    if (event.outcome.result) compacted.push(event.outcome.result.compactionId);
  };
  let next = await nextRequest(session, options, asked);
  const { signal = NEVER, compaction: choice, timeoutMs, providerOptions } = options;
  const measure = async () => (await nextRequest(session, options, asked)).load;
  const { model } = asked;
  const { createTurnCompactor } = await import('./auto-compact-turn.ts');
  for (let round = 1; next.compacts && round <= MOST_ROUNDS; round++) {
    const room = createTurnCompactor(session, turnQueueOf(session), {
      model,
      window: options.budget?.window,
      choice,
      agent: options.agent,
      timeoutMs,
      ...(providerOptions && { chat: { providerOptions } }),
      measure,
      signal,
      emit,
    });
    const { head } = session.info;
    await room.before();
    if ((await session.refresh()).head === head) break;
    next = await nextRequest(session, options, asked);
  }
  const compactionId = compacted.at(-1);
  return { ...next, ...(compactionId !== undefined && { compactionId }) };
}

interface Asking extends Pick<RequestPlan, 'hidden'> {
  /** What the turn writes before it asks: the end of a turn that was cut off, and the question. */
  readonly ahead: readonly Entry[];
  readonly input: Entry | undefined;
}

async function asking(
  session: Session,
  question: NextRequestOptions['question'],
  id: EntryId | undefined,
): Promise<Asking> {
  const newest = await readNewestTurn(session);
  if (typeof question === 'object' && question !== null && 'again' in question) {
    const input = newest.find(({ body }) => body.kind === 'message' && body.role === 'user');
    return { ahead: [], input: input && (await session.whole(input)), hidden: 'cut' };
  }
  const { head } = session.info;
  const closing = leftOpen(session.info, newest).map((entry, index) => entryAhead(entry, head + index + 1));
  if (question === undefined) return { ahead: closing, input: undefined, hidden: [] };
  const input = questionAhead(question, { after: head + closing.length, id });
  return { ahead: [...closing, input], input, hidden: [] };
}

/** A question that is asked after an entry, and is in no log. */
export function questionAhead(
  question: string | readonly Part[],
  { after, id }: { after: Seq; id?: EntryId | undefined },
): Entry {
  const parts = readParts(question);
  return entryAhead({ ...(id && { id }), body: { kind: 'message', role: 'user', parts } }, after + 1);
}

function entryAhead({ id, body }: NewEntry, seq: Seq): Entry {
  return {
    id: id ?? deriveEntryId('ahead', JSON.stringify(body)),
    seq,
    at: 0,
    tokens: body.kind === 'message' ? countMessage(body as Message) : 0,
    body,
  };
}
