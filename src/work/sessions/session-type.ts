import { ThroughlineError } from '../../errors.ts';

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
