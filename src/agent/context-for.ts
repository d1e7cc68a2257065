import type { Load } from '../compaction/index.ts';
import type { BuiltContext } from '../context/index.ts';
import { ThroughlineError } from '../errors.ts';
import { type ChosenModel, namesIn } from '../models/index.ts';
import {
  checkArgument,
  checkOptions,
  type OptionKinds,
  type Seq,
  type SessionId,
  type SessionInfo,
} from '../record/index.ts';
import type { Recall } from '../search/index.ts';
import { getSession, openSession, sessionAt } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { type NextRequest, type NextRequestOptions, nextRequest } from './next-request.ts';
import { AGENT_OPTIONS, type PrepareOptions, prepareTurn } from './prepare-turn.ts';
import type { Announced, Elsewhere } from './request/build-request.ts';
import { contextAt, type SentContext } from './request/context-at.ts';
import { newestTurn } from './turns/read-turns.ts';
import { isUnfinished } from './turns/turn-record.ts';

export interface ContextForOptions
  extends Omit<PrepareOptions, 'knowledge' | 'announced' | 'onAgentProblem'>,
    Pick<NextRequestOptions, 'question' | 'id'> {
  /** As it was after this entry; for an entry that is an answer, what it answered. */
  readonly at?: Seq | undefined;
  /**
   * At an earlier entry: what was sent, where the log says it. By default so unless another model, window, question or recall
   * is asked about; `true` for choices that are the standing ones of a process.
   */
  readonly asSent?: boolean | undefined;
  /** Without a question: the newest one is asked again if it has no whole answer. By default at an earlier entry alone. */
  readonly again?: boolean | undefined;
  /** A folder whose instruction files and memory are counted: see `KnowledgeOptions`. */
  readonly folder?: string | undefined;
  readonly knowledge?: Knowledge;
  readonly elsewhere?: Elsewhere | undefined;
}

/** What a model is sent for a session. */
export interface SessionContext {
  readonly context: BuiltContext;
  /** The tools that the model is offered. Absent for a request that was sent. */
  readonly tools?: NextRequest['tools'];
  /** How many messages of the log are in it, the question not counted, and how many summaries. */
  readonly holds: Announced['holds'];
  /** `provider:model`. */
  readonly model: string;
  /** Why that model. Absent for a request that was sent. */
  readonly chosen?: ChosenModel;
  /** Why the agent module that the session remembers is left out. */
  readonly agentProblem?: string;
  /** What the agent wants kept in summaries of the session. Absent for a request that was sent. */
  readonly summaryInstructions?: string;
  /** The turn would compact the session before it sends anything: these are the numbers before that. */
  readonly compacts: boolean;
  /** How full that is, as compactions measure it. Absent for a request that was sent. */
  readonly load?: Load;
  /**
   * `next`: what the next turn sends, to the byte. `sent`: the request of that time, by the notes of the answer. `rebuilt`:
   * what would have been sent at an earlier entry, for where no answer says it, or another model, window or question is asked
   * about: with the log and the settings of then, and the agent module and the project as they are now.
   */
  readonly as: 'next' | 'sent' | 'rebuilt';
  /** Of `sent`: the answer, and whether this is to the byte what it answered. */
  readonly sent?: SentContext['answer'] & Pick<SentContext, 'exact'>;
}

/**
 * The context of a session: now, for a question, or at an earlier entry. With the options that a turn is run with, it is to
 * the byte what the provider receives. Nothing is written.
 */
export async function contextFor(
  store: Store,
  id: SessionId,
  asked: ContextForOptions = {},
): Promise<SessionContext> {
  checkArgument(store, 'store', { call: 'contextFor' });
  checkOptions(asked, OPTIONS, { call: 'contextFor' });
  const { knowledge: given, folder, asSent, ...options } = asked;
  const info = await getSession(store, id);
  const { at, elsewhere } = options;
  if (at !== undefined && at > info.head) throw notReached(info, at);
  const looksUp = at !== undefined && (asSent ?? !isWhatIf(options));
  const sent = looksUp ? await contextAt(store, info, at, { elsewhere }) : undefined;
  if (sent) {
    const { context, holds, answer, exact } = sent;
    return { context, holds, compacts: false, model: answer.model, as: 'sent', sent: { ...answer, exact } };
  }
  await using own = given ? undefined : openKnowledge(store, { folder });
  return announce(store, info, { ...options, knowledge: given ?? own! });
}

const OPTIONS: OptionKinds<Required<ContextForOptions>> = {
  ...AGENT_OPTIONS,
  agentSdk: 'function',
  question: 'anything',
  id: 'text',
  at: 'whole number',
  asSent: 'boolean',
  again: 'boolean',
  folder: 'text',
  knowledge: 'object',
  elsewhere: 'anything',
};

type Asked = Omit<ContextForOptions, 'asSent'> & { readonly knowledge: Knowledge };

/** The request that a turn would begin with after the entry, or after the newest one. */
async function announce(
  store: Store,
  { head, id: session }: SessionInfo,
  { question, id, elsewhere, at, again = at !== undefined, ...options }: Asked,
): Promise<SessionContext> {
  await using handle = await openSession(store, session, { mode: 'read' });
  const seen = at === undefined ? handle : await sessionAt(handle, at);
  const { info } = seen;
  const { chosen, agentProblem, options: turn } = await prepareTurn(info, { ...options, announced: true });
  const isEarlier = info.head < head;
  const asked =
    question ?? (again && (await isLeft(store, info, isEarlier)) ? ({ again: true } as const) : undefined);
  const next = await nextRequest(seen, turn, { model: chosen, question: asked, id, elsewhere });
  const { context, tools, holds, compacts, load } = next;
  const { summaryInstructions } = turn.agent ?? {};
  const said = {
    ...(agentProblem !== undefined && { agentProblem }),
    ...(summaryInstructions !== undefined && { summaryInstructions }),
  };
  const as = isEarlier ? 'rebuilt' : 'next';
  return { context, tools, holds, compacts, load, chosen, ...said, model: chosen.id, as };
}

/** The newest question has no whole answer. Whether one is being written now says nothing of an earlier entry. */
async function isLeft(store: Store, info: SessionInfo, isEarlier: boolean): Promise<boolean> {
  const turn = await newestTurn(store, info);
  return turn !== undefined && (isUnfinished(turn.status) || (isEarlier && turn.status === 'running'));
}

type WhatIf = { readonly [Name in 'model' | 'window' | 'question' | 'recall']?: ContextForOptions[Name] };

/** True for options that ask about another request than was sent. */
export function isWhatIf({ model, window, question, recall }: WhatIf): boolean {
  const names = namesIn(model);
  const asked = names ? (names.provider ?? names.model ?? undefined) : model;
  return [asked, window, question, recall].some((given) => given !== undefined);
}

function notReached({ id, head }: SessionInfo, at: Seq): ThroughlineError {
  return new ThroughlineError(
    'entry-not-found',
    `Session "${id}" goes up to entry ${head}, so there is no entry ${at} after which something was sent.`,
    { details: { session: id, seq: at, head } },
  );
}

export interface ContextWithRecallOptions extends Pick<ContextForOptions, 'at'> {
  readonly budget: { readonly window: number; readonly recallTokens?: number };
  /** As if this were asked next; without one, recall goes by the newest message. */
  readonly question?: string;
  /** `provider:model` the request goes to. */
  readonly model?: string;
}

/** `contextFor` for a caller that holds an open index and names the window: the log with recall, and nothing of the project. */
export async function contextWithRecall(
  store: Store,
  recall: Recall,
  { id, head }: SessionInfo,
  { budget: { window, recallTokens }, question, at = head, model = 'offline' }: ContextWithRecallOptions,
): Promise<BuiltContext> {
  const index = { open: async () => recall, current: async () => ({ recall, behind: null }) };
  await using knowledge = openKnowledge(store, { index });
  const { context } = await contextFor(store, id, {
    at,
    question: question ?? { again: true },
    window,
    model,
    agent: false,
    memory: false,
    knowledge,
    ...(recallTokens !== undefined && { recall: recallTokens }),
  });
  return context;
}
