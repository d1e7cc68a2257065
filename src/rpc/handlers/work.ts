import { isThroughlineError } from '../../errors.ts';
import { projectOfSession } from '../../memory/index.ts';
import { findReachable, refused } from '../../operations/index.ts';
import { newEntryId, type SessionId } from '../../record/index.ts';
import { describeFeature, describeTask, type Work } from '../../work/index.ts';
import type { Call, Handler } from '../call.ts';

const features: Handler<'work/features'> = async ({ project }, call) => {
  const work = await workOf(call, project);
  return plain({ features: (await work.features()).map(describeFeature) });
};

const setFeature: Handler<'work/feature/set'> = async ({ project, feature, name, spec }, call) => {
  const work = await workOf(call, project);
  const fields = { ...(name !== undefined && { name }), ...(spec !== undefined && { spec }) };
  const set = await work.setFeature(feature, { ...fields, by: call.access.user });
  return plain({ feature: describeFeature(set) });
};

const tasks: Handler<'work/tasks'> = async ({ project, feature }, call) => {
  const work = await workOf(call, project);
  const all = feature === undefined ? await work.features() : [await work.feature(feature)];
  return plain({ tasks: all.flatMap((one) => describeFeature(one).tasks) });
};

const setTask: Handler<'work/task/set'> = async (params, call) => {
  const { project, feature, task, title, description, dependsOn } = params;
  const work = await workOf(call, project);
  const set = await work.setTask(feature, task, {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(dependsOn !== undefined && { dependsOn }),
    by: call.access.user,
  });
  return plain({ task: describeTask(await work.feature(feature), set) });
};

const moveTask: Handler<'work/task/move'> = async (params, call) => {
  const { project, feature, task, to, reason, force } = params;
  const work = await workOf(call, project);
  const how = { by: call.access.user, force, ...(reason !== undefined && { reason }) };
  const moved = await work.moveTask(feature, task, to, how);
  return plain({ task: describeTask(await work.feature(feature), moved) });
};

const sessions: Handler<'work/sessions'> = async ({ project, feature, task, state }, call) => {
  const work = await workOf(call, project);
  const links = await work.sessions(feature, task, state);
  return plain({ sessions: await Promise.all(links.map(({ session }) => work.describeSession(session))) });
};

const openSession: Handler<'work/session/open'> = async (params, call) => {
  const { project, type, feature, task, state } = params;
  const work = await workOf(call, project);
  const id = await work.getOrCreateSession(type, feature, task, state);
  return plain({ session: await work.describeSession(id) });
};

const addMessage: Handler<'work/message/add'> = async (params, call) => {
  const { sessionId, role, content, id = newEntryId() } = params;
  const { work, session } = await workToWrite(call, sessionId);
  const entry = await work.addMessage(session, role, content, { id }).catch(async (error: unknown) => {
    if (!isThroughlineError(error, 'lease-held')) throw error;
    // Held by a turn of this server, it is written by way of that; held by another program, it is refused again.
    const parts = [{ type: 'text', text: content }];
    return (await call.sessions.append(session, [{ id, body: { kind: 'message', role, parts } }]))[0]!;
  });
  const requestTokens = await work.estimateRequestSize(session);
  return { id: entry.id, seq: entry.seq, requestTokens, budget: work.budget };
};

const checkpoint: Handler<'work/checkpoint'> = async ({ sessionId }, call) => {
  const { work, session } = await workWith(call, sessionId);
  return { checkpoint: await work.checkpoint(session) };
};

const request: Handler<'work/request'> = async ({ sessionId, question }, call) => {
  const { work, session } = await workToWrite(call, sessionId);
  return { ...(await work.buildRequest(session, question)), budget: work.budget };
};

/** Descriptions are made of what cannot be changed; answers are plain JSON. */
function plain<T>(described: T): Mutable<T> {
  return described as Mutable<T>;
}

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

async function workOf({ store, access, desks }: Call, name: string): Promise<Work> {
  return desks.of(await findReachable(store, access, name));
}

/** The work that a session belongs to; whether it is within reach is asked by `find`. */
async function workWith(call: Call, reference: string): Promise<{ work: Work; session: SessionId }> {
  const info = await call.find(reference);
  const project = await projectOfSession(call.store, info);
  if (project && info.state.settings.work !== undefined)
    return { work: await call.desks.of(project), session: info.id };
  throw refused('usage', `Session "${info.id}" belongs to no feature.`, { session: info.id });
}

/** The server keeps a lease a moment longer than it needs it, and would be refused by itself. */
async function workToWrite(call: Call, reference: string): Promise<{ work: Work; session: SessionId }> {
  const found = await workWith(call, reference);
  await call.sessions.letGo(found.session);
  return found;
}

export const work = {
  'work/features': features,
  'work/feature/set': setFeature,
  'work/tasks': tasks,
  'work/task/set': setTask,
  'work/task/move': moveTask,
  'work/sessions': sessions,
  'work/session/open': openSession,
  'work/message/add': addMessage,
  'work/checkpoint': checkpoint,
  'work/request': request,
} satisfies { [Name in keyof typeof import('../methods/work.ts').work]: Handler<Name> };
