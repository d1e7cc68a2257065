import { createHash } from 'node:crypto';
import { ThroughlineError } from '../../errors.ts';
import type { SessionId, SessionInfo, WorkPlace } from '../../record/index.ts';

/** The purpose of a session: written into the session itself, as the setting `work`, and onto the board. */
export interface SessionPlace {
  readonly board: SessionId;
  readonly feature: string;
  readonly task?: string;
  readonly state?: string;
  readonly type: SessionType;
  readonly agent: AgentType;
}

const LONGEST = 100;

/**
 * `dev_auth_login_in_dev`: who, on what, in which state, to be read and typed. Nothing is ever read back out of it: the
 * place of a session is in its log. A name that two places share, or that starts another id, gets a code in front.
 */
export function nameSession({ agent, feature, task, state }: SessionPlace): SessionId {
  const name = [agent, feature, task, state]
    .filter((part) => part !== undefined)
    .join('_')
    .replaceAll('..', '.');
  const short =
    name.length <= LONGEST
      ? name
      : `${name.slice(0, LONGEST - 9)}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return short.replace(/\.$/, '-');
}

export function placeToJson({ board, feature, task, state, type, agent }: SessionPlace): WorkPlace {
  return {
    board,
    feature,
    type,
    agent,
    ...(task !== undefined && { task }),
    ...(state !== undefined && { state }),
  };
}

/** The place of a session; one that belongs to no board is refused. */
export function placeOfSession({ id, state }: SessionInfo): SessionPlace {
  const { work } = state.settings;
  const type = SESSION_TYPES.find((one) => one === work?.type);
  const agent = AGENT_TYPES.find((one) => one === work?.agent);
  if (work && type && agent) {
    const { board, feature, task, state: taskState } = work;
    return {
      board,
      feature,
      type,
      agent,
      ...(task !== undefined && { task }),
      ...(taskState !== undefined && { state: taskState }),
    };
  }
  throw new ThroughlineError('usage', `Session "${id}" belongs to no feature.`, {
    details: { session: id, of: 'work' },
  });
}

export const SESSION_TYPES = ['pm-feature', 'dev-task', 'qa-task', 'harness', 'merge'] as const;
export type SessionType = (typeof SESSION_TYPES)[number];

export const AGENT_TYPES = ['pm', 'dev', 'qa', 'harness', 'merge'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

/** Who works in a session of this type, unless another agent is named. */
export function agentFor(type: SessionType): AgentType {
  const agents = {
    'pm-feature': 'pm',
    'dev-task': 'dev',
    'qa-task': 'qa',
    harness: 'harness',
    merge: 'merge',
  } as const;
  return agents[type];
}

/** The others may be about a feature as a whole. */
export function isForTask(type: SessionType): boolean {
  return type === 'dev-task' || type === 'qa-task';
}

/** For what comes from outside: a command line, a file, another program. */
export function readSessionType(text: string): SessionType {
  const type = SESSION_TYPES.find((one) => one === text);
  if (type) return type;
  throw new ThroughlineError(
    'usage',
    `"${text}" is no type of session. There are: ${SESSION_TYPES.join(', ')}.`,
  );
}

export function readAgentType(text: string): AgentType {
  const type = AGENT_TYPES.find((one) => one === text);
  if (type) return type;
  throw new ThroughlineError('usage', `"${text}" is no type of agent. There are: ${AGENT_TYPES.join(', ')}.`);
}
