import { createHash } from 'node:crypto';
import { ThroughlineError } from '../../errors.ts';
import type { SessionId, SessionInfo, WorkPlace } from '../../record/index.ts';
import { AGENT_TYPES, type AgentType, SESSION_TYPES, type SessionType } from './session-type.ts';

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
