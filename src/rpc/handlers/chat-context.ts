import { chooseModel, type ModelNames } from '../../models/index.ts';
import {
  allActive,
  plainJson,
  readCompactionTree,
  showSession,
  toCompaction,
} from '../../operations/index.ts';
import type { EntryId, Seq, SessionInfo } from '../../record/index.ts';
import { contextAt, type NextRequest, nextRequest, type RequestPlan, rebuildAt } from '../../run/index.ts';
import { infoAt, openSession } from '../../session/index.ts';
import type { Call, Handler } from '../call.ts';
import { announceTurn } from '../runs/prepare-turn.ts';
import { readDocuments, readTodos } from './read-documents.ts';

const build: Handler<'chat/context/build'> = async ({ sessionId }, call) => {
  const { store } = call;
  const info = await call.find(sessionId);
  const { nodes } = await readCompactionTree(store, info);
  return {
    sessionId: info.id,
    context: {
      session: await showSession(call, info),
      messages: await allActive(store, info),
      documents: await readDocuments(store, info),
      todos: await readTodos(store, info),
      compactions: await Promise.all(nodes.map((node) => toCompaction(store, info, node))),
    },
  };
};

const meter: Handler<'chat/context/meter'> = async (params, call) => {
  const { sessionId, provider, model, window, question, id: questionId, at, messages } = params;
  const info = await call.find(sessionId);
  const asked = { asked: { provider, model }, window };
  const { built, model: answering } = await (at === undefined
    ? measureNext(call, info, { ...asked, question, id: questionId })
    : measureAt(call, info, { ...asked, question, id: questionId, at }));
  const { context, holds, compacts } = built;
  const { reserve, tokens, parts, leftOut, steps, instructions } = context;
  return {
    sessionId: info.id,
    model: answering,
    window: context.window,
    reserve,
    tokens,
    parts,
    leftOut,
    steps,
    messagesLoaded: holds.messages,
    compactionsApplied: holds.summaries,
    compacts,
    estimated: true,
    ...(messages && { instructions, messages: plainJson(context.messages) as { role: string }[] }),
  };
};

interface Asked {
  readonly asked: ModelNames;
  readonly window: number | undefined;
  readonly question: string | undefined;
  readonly id: EntryId | undefined;
}

interface Measured {
  readonly built: Pick<NextRequest, 'context' | 'holds' | 'compacts'>;
  readonly model: string;
}

/** What the next turn would send, in a thread of its own if it is long. */
async function measureNext(
  call: Call,
  info: SessionInfo,
  { asked, window, question, id }: Asked,
): Promise<Measured> {
  const { chosen: model, options } = await announceTurn(call, info, { asked, window });
  await using session = await openSession(call.store, info.id, { mode: 'read' });
  const build = (plan: RequestPlan) => call.contexts.of(session.info, plan);
  return { built: await nextRequest(session, options, { model, question, id, build }), model: model.id };
}

/** What was sent after an entry; where no answer says it, or another model or question is asked for, what would have been. */
async function measureAt(
  { store, env, contexts }: Call,
  info: SessionInfo,
  { asked, window, question, id, at }: Asked & { readonly at: Seq },
): Promise<Measured> {
  const build = (then: SessionInfo, plan: RequestPlan) => contexts.of(then, plan);
  const isWhatIf = [asked.provider, asked.model, window, question].some((given) => given !== undefined);
  const sent = isWhatIf ? undefined : await contextAt(store, info, at, { build });
  if (sent) return { built: { ...sent, compacts: false }, model: sent.answer.model };
  const then = await infoAt(store, info, at);
  const { id: model, limits } = await chooseModel(then.state, {
    asked,
    agentSdk: true,
    announced: true,
    open: { env },
  });
  const budget = window === undefined ? {} : { window };
  const built = await rebuildAt(store, info, at, { model, limits, budget, question, id, build });
  return { built: { ...built, compacts: false }, model };
}

export const chatContext = { 'chat/context/build': build, 'chat/context/meter': meter };
