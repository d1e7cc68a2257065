import type { BuiltContext } from '../context/index.ts';
import { ThroughlineError } from '../errors.ts';
import { type ChosenModel, chooseModel } from '../models/index.ts';
import type { Recall } from '../recall/index.ts';
import type { Seq, SessionId, SessionInfo } from '../record/index.ts';
import {
  type Announced,
  contextAt,
  type Elsewhere,
  type NextRequestOptions,
  nextRequest,
  rebuildAt,
  type SentContext,
} from '../run/index.ts';
import { getSession, infoAt, openSession } from '../session/index.ts';
import type { Store } from '../store/index.ts';
import { type Knowledge, openKnowledge } from './knowledge.ts';
import { type PrepareOptions, prepareTurn } from './prepare-turn.ts';

export interface ContextForOptions
  extends Omit<PrepareOptions, 'knowledge' | 'announced'>,
    Pick<NextRequestOptions, 'question' | 'id'> {
  /** As it was after this entry; for an entry that is an answer, what it answered. */
  readonly at?: Seq | undefined;
  /** The folder that a person works in: see `KnowledgeOptions`. */
  readonly folder?: string | undefined;
  readonly knowledge?: Knowledge;
  readonly elsewhere?: Elsewhere | undefined;
}

/** What a model is sent for a session. */
export interface SessionContext {
  readonly context: BuiltContext;
  /** How many messages of the log are in it, the question not counted, and how many summaries. */
  readonly holds: Announced['holds'];
  /** `provider:model`. */
  readonly model: string;
  /** Why that model. Absent for a request that was sent. */
  readonly chosen?: ChosenModel;
  /** The turn would compact the session before it sends anything: these are the numbers before that. */
  readonly compacts: boolean;
  /**
   * `next`: what the next turn sends, to the byte. `sent`: what was sent at that time, by the notes of the answer. `rebuilt`: what
   * would have been sent, for where no answer says it, or another model, window or question is asked about.
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
  { knowledge: given, folder, ...options }: ContextForOptions = {},
): Promise<SessionContext> {
  const info = await getSession(store, id);
  await using own = given ? undefined : openKnowledge(store, { folder });
  const asked = { ...options, knowledge: given ?? own! };
  const { at } = options;
  return at === undefined ? nextContext(store, info, asked) : contextThen(store, info, { ...asked, at });
}

type Asked = ContextForOptions & { readonly knowledge: Knowledge };

async function nextContext(
  store: Store,
  info: SessionInfo,
  { question, id, elsewhere, at: _, ...options }: Asked,
): Promise<SessionContext> {
  const { chosen, options: turn } = await prepareTurn(info, { ...options, announced: true });
  await using session = await openSession(store, info.id, { mode: 'read' });
  const next = await nextRequest(session, turn, { model: chosen, question, id, elsewhere });
  const { context, holds, compacts } = next;
  return { context, holds, compacts, chosen, model: chosen.id, as: 'next' };
}

async function contextThen(
  store: Store,
  info: SessionInfo,
  asked: Asked & { readonly at: Seq },
): Promise<SessionContext> {
  const { at, question, id, elsewhere, model, window, recall, knowledge } = asked;
  if (at > info.head) throw notReached(info, at);
  const isWhatIf = [names(model), window, question, recall].some((given) => given !== undefined);
  const sent = isWhatIf ? undefined : await contextAt(store, info, at, { elsewhere });
  if (sent) {
    const { context, holds, answer, exact } = sent;
    return { context, holds, compacts: false, model: answer.model, as: 'sent', sent: { ...answer, exact } };
  }
  const then = await infoAt(store, info, at);
  const { agentSdk, openModel: open } = asked;
  const how = { announced: true, agentSdk: agentSdk !== undefined, open };
  const chosen = await chooseModel(then.state, { asked: model, ...how });
  const maxTokens = typeof recall === 'number' ? { maxTokens: recall } : {};
  const { roots, restoration } = info.state;
  const isCompacted = roots.length > 0 || restoration !== undefined;
  const found = question === undefined || typeof question === 'string' ? question : undefined;
  const { context, holds } = await rebuildAt(store, info, at, {
    model: chosen.id,
    limits: chosen.limits,
    budget: {
      ...(window !== undefined && { window }),
      ...(typeof recall === 'number' && { recallTokens: recall }),
    },
    recalled:
      isCompacted && recall !== false ? await knowledge.recall(found, info, { at, ...maxTokens }) : [],
    question: typeof question === 'string' ? question : undefined,
    id,
    elsewhere,
  });
  return { context, holds, compacts: false, chosen, model: chosen.id, as: 'rebuilt' };
}

/** Two names that are both left out ask for no model. */
function names(model: PrepareOptions['model']): unknown {
  if (typeof model !== 'object' || 'id' in model || 'modelId' in model) return model;
  return model.provider ?? model.model ?? undefined;
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
  /** As if this were asked next; without one, the newest message is what is recalled for. */
  readonly question?: string;
  /** `provider:model` the request goes to. */
  readonly model?: string;
}

/** `contextFor` for a caller that holds an open index and names the window: the log as it stands, with recall. */
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
    question,
    window,
    model,
    knowledge,
    ...(recallTokens !== undefined && { recall: recallTokens }),
  });
  return context;
}
