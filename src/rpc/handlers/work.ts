import { isThroughlineError } from '../../errors.ts';
import { findProject, type Project, projectOfSession } from '../../memory/index.ts';
import type { SessionId } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { describeFeature, describeTask, openWork, type Work } from '../../work/index.ts';
import { reachesProject } from '../access.ts';
import type { Call, Handler } from '../call.ts';
import { refused } from '../error-codes.ts';

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

const addMessage: Handler<'work/message/add'> = async ({ sessionId, role, content, id }, call) => {
  const { work, session } = await workWith(call, sessionId);
  const entry = await work.addMessage(session, role, content, { ...(id !== undefined && { id }) });
  const requestTokens = await work.estimateRequestSize(session);
  return { id: entry.id, seq: entry.seq, requestTokens, budget: work.budget };
};

const checkpoint: Handler<'work/checkpoint'> = async ({ sessionId }, call) => {
  const { work, session } = await workWith(call, sessionId);
  return { checkpoint: await work.checkpoint(session) };
};

const request: Handler<'work/request'> = async ({ sessionId, question }, call) => {
  const { work, session } = await workWith(call, sessionId);
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

// One for each project and server: what it has read of a session it need not read again.
const desks = new WeakMap<Store, Map<string, Promise<Work>>>();

function deskOf(store: Store, project: Project): Promise<Work> {
  // A project that nothing is written down about yet has an id that only stands for it.
  if (!project.known) return openWork(store, { project });
  const kept = desks.get(store) ?? new Map<string, Promise<Work>>();
  desks.set(store, kept);
  const opened = kept.get(project.id) ?? openWork(store, { project });
  kept.set(project.id, opened);
  return opened;
}

async function workOf({ store, access }: Call, name: string): Promise<Work> {
  const project = await findProject(store, name).catch((error: unknown) => {
    // The candidates are not for everybody.
    if (access.projects !== null && isThroughlineError(error, 'project-ambiguous')) return undefined;
    throw error;
  });
  if (project && reachesProject(access, project)) return deskOf(store, project);
  throw refused('project-not-found', `No project "${name}".`, { project: name });
}

/** The work that a session belongs to; whether it is within reach is asked by `find`. */
async function workWith(call: Call, reference: string): Promise<{ work: Work; session: SessionId }> {
  const info = await call.find(reference);
  const project = await projectOfSession(call.store, info);
  if (project && info.state.settings.work !== undefined)
    return { work: await deskOf(call.store, project), session: info.id };
  throw refused('usage', `Session "${info.id}" belongs to no feature.`, { session: info.id });
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
