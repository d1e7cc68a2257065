import { ThroughlineError } from '../../errors.ts';
import { featureOn, taskOn } from '../../project/index.ts';
import {
  deriveEntryId,
  equalJson,
  type NewEntry,
  type SessionId,
  type SessionInfo,
  settingEntries,
  type WorkSession,
} from '../../record/index.ts';
import { sessionsNamed } from '../../store/index.ts';
import { freshHead } from '../context/refresh-head.ts';
import type { Desk } from '../desk.ts';
import {
  type AgentType,
  agentFor,
  isForTask,
  nameSession,
  placeToJson,
  readAgentType,
  readSessionType,
  type SessionPlace,
  type SessionType,
} from './session-place.ts';

// A session is born with everything it needs in one step, under a name that follows from its place, and is then put onto
// the board by an entry whose id follows from the name. So a process that dies in between leaves a session that the next
// one finds by name and puts there, and two processes that do the same at once do it once.

interface Asked {
  readonly type: SessionType;
  readonly feature: string;
  readonly task?: string | undefined;
  readonly state?: string | undefined;
  readonly agent?: AgentType | undefined;
}

/** Starts a session for a feature, or for a task in one of its states: always another one. */
export async function makeWorkSession(desk: Desk, asked: Asked): Promise<SessionId> {
  return make(desk, asked, { adopt: false });
}

/** The session to go on with, or a new one. Two callers at once are given the same. */
export async function getOrCreateWorkSession(desk: Desk, asked: Asked): Promise<SessionId> {
  const { feature, task, state, type } = asked;
  const active = await findActiveSession(desk, { feature, task, state, type });
  return active ?? make(desk, asked, { adopt: true });
}

/** The newest session of the place that has not ended. */
export async function findActiveSession(
  desk: Desk,
  { feature, task, state, type }: Omit<Asked, 'type' | 'agent'> & { type?: SessionType | undefined },
): Promise<SessionId | undefined> {
  const board = await desk.board();
  const { sessions } = task === undefined ? featureOn(board, feature) : taskOn(board, feature, task);
  const wanted = task === undefined ? state : (state ?? taskOn(board, feature, task).state);
  const fitting = sessions.filter(
    (link) => !link.ended && link.state === wanted && (type === undefined || link.type === type),
  );
  for (const { session } of fitting.toReversed()) {
    const info = await desk.store.session(session);
    if (info && info.state.trashedAt === undefined) return session;
  }
  return undefined;
}

async function make(desk: Desk, asked: Asked, { adopt }: { adopt: boolean }): Promise<SessionId> {
  const { feature, task, state } = asked;
  const type = readSessionType(asked.type);
  const agent = asked.agent === undefined ? agentFor(type) : readAgentType(asked.agent);
  if (task === undefined && isForTask(type)) throw needsTask(type);
  const board = await desk.board();
  featureOn(board, feature);
  const wanted = task === undefined ? state : (state ?? taskOn(board, feature, task).state);
  const place: SessionPlace = {
    board: await desk.boardToWrite(),
    feature,
    ...(task !== undefined && { task }),
    ...(wanted !== undefined && { state: wanted }),
    type,
    agent,
  };
  const work = placeToJson(place);
  const bear = async (id: SessionId) => {
    const at = desk.now();
    return {
      createdAt: at,
      entries: [...birthSettings(desk, place, at), ...(await freshHead(desk, id, place))],
    };
  };
  const belongs = ({ state }: SessionInfo) => equalJson(state.settings.work, work);
  for await (const { id, info, made } of sessionsNamed(desk.store, nameSession(place), { belongs, bear })) {
    if (!info) continue;
    // A session of this place may be missing on the board: its maker died before.
    const over = await putOnBoard(desk, id, place);
    if (made || (adopt && !over)) return id;
  }
  throw new Error('bug: the ids to try for a work session have come to an end');
}

function needsTask(type: SessionType): ThroughlineError {
  return new ThroughlineError('usage', `A session of type "${type}" is for a task of the feature. Name one.`);
}

function birthSettings(desk: Desk, place: SessionPlace, at: number): NewEntry[] {
  const settings = {
    agent: place.agent,
    project: desk.place.project.id,
    work: placeToJson(place),
    title: titleOf(place),
  };
  return settingEntries(settings, { by: 'host', at });
}

/** Puts a session onto the board, if it is not there. Says whether the board, or the trash, says that it is over. */
export async function putOnBoard(desk: Desk, id: SessionId, place: SessionPlace): Promise<boolean> {
  const { feature, task, board } = place;
  const { features } = await desk.board();
  const links =
    (task === undefined ? features.get(feature) : features.get(feature)?.tasks.get(task))?.sessions ?? [];
  const known = links.find(({ session }) => session === id);
  if (known) return known.ended || (await desk.store.session(id))?.state.trashedAt !== undefined;
  const entry = deriveEntryId('work-session', board, id);
  await desk.store.append(board, [{ id: entry, at: desk.now(), body: linkTo(id, place) }]);
  return false;
}

/** Says that a session is over: the next call for a session of its place gets another. */
export async function endSession(desk: Desk, id: SessionId, place: SessionPlace): Promise<void> {
  await desk.store.append(place.board, [{ at: desk.now(), body: { ...linkTo(id, place), ended: true } }]);
}

function linkTo(session: SessionId, { feature, task, state, type, agent }: SessionPlace): WorkSession {
  const where = { feature, ...(task !== undefined && { task }), ...(state !== undefined && { state }) };
  return { kind: 'work', step: 'session', ...where, session, type, agent };
}

function titleOf({ agent, feature, task, state }: SessionPlace): string {
  const where = [feature, task].filter((part) => part !== undefined).join('/');
  return `${agent} on ${where}${state === undefined ? '' : ` (${state})`}`;
}
