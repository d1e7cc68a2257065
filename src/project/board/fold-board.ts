import type { Entry, WorkFeature, WorkLabel, WorkMoved, WorkSession, WorkTask } from '../../record/index.ts';
import { type Board, EMPTY_BOARD, type Feature, type Move, type SessionLink, type Task } from './board.ts';
import { START } from './workflow.ts';

// The board is a fold over its log. An entry says only what changes, field by field, so two writers who change different
// things about one task both get their way, in whichever order their entries came.

/** The board after these entries too, oldest first. Reading a log in pieces comes to the same as reading it at once. */
export function foldBoard(entries: readonly Entry[], before: Board = EMPTY_BOARD): Board {
  const features = new Map(before.features);
  for (const entry of entries) {
    if (entry.body.kind === 'work') take(features, entry, entry.body);
  }
  return { features, head: Math.max(before.head, entries.at(-1)?.seq ?? 0) };
}

function take(features: Map<string, Feature>, entry: Entry, body: WorkLabel): void {
  const known = features.get(body.feature);
  if (body.step === 'feature') {
    if (body.removed) features.delete(body.feature);
    else features.set(body.feature, withFields(known ?? newFeature(body.feature, entry.at), body, entry.at));
    return;
  }
  // Changes of a removed feature stay in the log and are not shown.
  if (!known) return;
  const feature = { ...known, updatedAt: Math.max(known.updatedAt, entry.at) };
  features.set(
    feature.id,
    body.task === undefined ? ofFeature(feature, entry, body) : ofTask(feature, entry, body),
  );
}

type Said = WorkTask | WorkMoved | WorkSession;

function ofFeature(feature: Feature, entry: Entry, body: Said): Feature {
  if (body.step === 'moved') {
    return { ...feature, state: body.to, moves: [...feature.moves, toMove(entry, body)] };
  }
  return body.step === 'session' ? { ...feature, sessions: link(feature.sessions, entry, body) } : feature;
}

function ofTask(feature: Feature, entry: Entry, body: Said): Feature {
  const id = body.task!;
  const tasks = new TaskMap(feature.tasks);
  const known = tasks.get(id);
  if (body.step === 'task' && body.removed) tasks.delete(id);
  else if (body.step === 'task') {
    const { title, description, dependsOn } = body;
    tasks.set(id, {
      ...(known ?? newTask(feature.id, id, entry.at)),
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      ...(dependsOn !== undefined && { dependsOn }),
      updatedAt: entry.at,
    });
  } else if (known && body.step === 'moved') {
    const moves = [...known.moves, toMove(entry, body)];
    tasks.set(id, { ...known, state: body.to, moves, updatedAt: entry.at });
  } else if (known && body.step === 'session') {
    tasks.set(id, { ...known, sessions: link(known.sessions, entry, body), updatedAt: entry.at });
  }
  return { ...feature, tasks };
}

/** As JSON an object by id: a plain map would be an empty one. */
class TaskMap extends Map<string, Task> {
  toJSON(): Record<string, Task> {
    return Object.fromEntries(this);
  }
}

function newFeature(id: string, at: number): Feature {
  return {
    id,
    name: id,
    state: START,
    createdAt: at,
    updatedAt: at,
    tasks: new TaskMap(),
    sessions: [],
    moves: [],
  };
}

function newTask(feature: string, id: string, at: number): Task {
  const blank = { title: id, description: '', state: START, dependsOn: [], sessions: [], moves: [] };
  return { id, feature, ...blank, createdAt: at, updatedAt: at };
}

const CLEARABLE = ['spec', 'specFile', 'folder', 'branch'] as const;

function withFields(feature: Feature, body: WorkFeature, at: number): Feature {
  const changed: Feature = {
    ...feature,
    ...(body.name !== undefined && { name: body.name }),
    updatedAt: at,
  };
  return CLEARABLE.reduce((one, field) => {
    const value = body[field];
    if (value === undefined) return one;
    const { [field]: _, ...rest } = one;
    return value === null ? rest : { ...rest, [field]: value };
  }, changed);
}

function toMove({ id, at }: Entry, { from, to, by, reason }: WorkMoved): Move {
  return {
    entry: id,
    from,
    to,
    at,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  };
}

/** The later word about a session counts; its place in the list stays. */
function link(links: readonly SessionLink[], { at }: Entry, body: WorkSession): SessionLink[] {
  const { session, type, agent, state, ended = false } = body;
  const known = links.find((one) => one.session === session);
  const made = { session, type, agent, ...(state !== undefined && { state }), at: known?.at ?? at, ended };
  return known ? links.map((one) => (one === known ? made : one)) : [...links, made];
}
