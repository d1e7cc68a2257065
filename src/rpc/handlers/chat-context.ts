import { infoAt } from '../../session/index.ts';
import type { Handler } from '../call.ts';
import { chooseModel } from '../models/choose-model.ts';
import { readCompactionTree } from '../records/compaction-tree.ts';
import { allActive } from '../records/list-messages.ts';
import { showSession } from '../records/show-session.ts';
import { plainJson, toCompaction } from '../records/to-records.ts';
import { headOf } from '../runs/prepare-turn.ts';
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

const meter: Handler<'chat/context/meter'> = async (params, { store, env, find, contexts }) => {
  const { sessionId, provider, model, window: declared, question, at, messages } = params;
  const info = await find(sessionId);
  const then = at === undefined ? info : await infoAt(store, info, at);
  const chosen = await chooseModel(then.state, { provider, model }, { env });
  const window = declared ?? chosen.window;
  const built = await contexts.of(info, {
    // What the project knows today says nothing about what was sent then.
    head: at === undefined ? await headOf(store, info, window) : [],
    budget: { window, outputLimit: Math.min(chosen.output, window) },
    model: chosen.id,
    ...(at !== undefined && { at }),
    ...(question !== undefined && { question }),
  });
  const { reserve, tokens, parts, leftOut, steps, instructions } = built;
  return {
    sessionId: info.id,
    model: chosen.id,
    window: built.window,
    reserve,
    tokens,
    parts,
    leftOut,
    steps,
    estimated: true,
    ...(messages && { instructions, messages: plainJson(built.messages) as { role: string }[] }),
  };
};

export const chatContext = { 'chat/context/build': build, 'chat/context/meter': meter };
