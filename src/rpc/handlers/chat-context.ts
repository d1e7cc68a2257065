import { contextFor } from '../../agent/index.ts';
import { readDocuments, readTodos } from '../../operations/document/index.ts';
import {
  allActive,
  plainJson,
  readCompactionTree,
  showSession,
  toCompaction,
} from '../../operations/index.ts';
import type { Handler } from '../call.ts';
import { turnChoices } from '../runs/prepare-turn.ts';

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
  const { sessionId, provider, model, window, question, id, at, messages } = params;
  const info = await call.find(sessionId);
  const built = await contextFor(call.store, info.id, {
    ...turnChoices(call, { provider, model }),
    window,
    question,
    id,
    at,
    // In a thread of its own if it is long.
    build: (then, plan) => call.contexts.of(then, plan),
  });
  const { context, holds, compacts, chosen } = built;
  const { reserve, tokens, parts, leftOut, steps, instructions } = context;
  return {
    sessionId: info.id,
    model: built.model,
    ...(chosen?.problem !== undefined && { modelProblem: chosen.problem }),
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

export const chatContext = { 'chat/context/build': build, 'chat/context/meter': meter };
