import {
  callTool,
  cut,
  fail,
  hang,
  held,
  overflow,
  pause,
  rateLimited,
  reply,
  type Step,
  serverError,
  stall,
  unauthorized,
} from '../support/wire-script.ts';

export const HALF = stall(reply('Once upon a time there was a house by the sea.'));
/** Refusals ask for a wait that is too long, so that they are not repeated. */
const LONG = { retryAfterSeconds: 120 };

/** What happens to a turn while the page looks on. */
type Cause = 'provider' | 'stop' | 'SIGTERM' | 'SIGINT' | 'SIGKILL';

export interface Row {
  readonly what: string;
  /** What the provider does, request by request. */
  readonly steps: readonly Step[];
  readonly by: Cause;
  /** What the page shows. */
  readonly says: RegExp;
  /** What is on the page when it happens. */
  readonly at?: 'tool' | 'half';
  readonly waiting?: true;
}

const SLOW_TOOL = callTool('wait', {});
const STOPPED = /^You stopped this answer\./;
const SHUT_DOWN = /^The server stopped before the answer was complete\./;
const DIED = /^The process ended before the answer was complete\./;

/** What a provider does, and what the page says of it. */
export const FAULTS: readonly { what: string; step: Step; says: RegExp }[] = [
  { what: 'a wrong key', step: unauthorized(), says: /key/i },
  { what: 'too many requests', step: rateLimited(LONG), says: /limit|busy|many/i },
  { what: 'an error of the provider', step: serverError(LONG), says: /fail|error|went wrong/i },
  { what: 'a context that is too long', step: overflow(), says: /long|fit|window|context/i },
  {
    what: 'a connection that breaks',
    step: cut(reply('One two three four')),
    says: /broke|cut|connection|lost/i,
  },
  { what: 'an error in mid-answer', step: fail(reply('One two three four')), says: /./ },
];

/** What the provider does once the disk is full. */
export const FULL: readonly {
  what: string;
  steps: (full: Promise<unknown>) => Step[];
  at?: 'half';
  waiting?: true;
}[] = [
  { what: 'before the answer', steps: (full) => [held(reply('The lost story.'), full)] },
  {
    what: 'in mid-answer',
    steps: (full) => [pause(reply('Once upon a time there was a house by the sea.'), full)],
    at: 'half',
  },
  {
    what: 'after a tool',
    steps: (full) => [callTool('look', {}), held(reply('The lost story.'), full)],
  },
  {
    what: 'with one waiting',
    steps: (full) => [held(reply('The lost story.'), full)],
    waiting: true,
  },
];

export const ROWS: readonly Row[] = [
  ...FAULTS.map(({ what, step, says }): Row => ({ what, steps: [step], by: 'provider', says })),
  { what: 'a stop before the answer', steps: [hang()], by: 'stop', says: STOPPED },
  { what: 'SIGTERM before the answer', steps: [hang()], by: 'SIGTERM', says: SHUT_DOWN },
  { what: 'SIGINT before the answer', steps: [hang()], by: 'SIGINT', says: SHUT_DOWN },
  // A question alone may have come from a file: the log does not tell of a process.
  {
    what: 'kill -9 before the answer',
    steps: [hang()],
    by: 'SIGKILL',
    says: /has no answer yet|process ended/,
  },

  { what: 'a stop in mid-answer', steps: [HALF], by: 'stop', at: 'half', says: STOPPED },
  { what: 'SIGTERM in mid-answer', steps: [HALF], by: 'SIGTERM', at: 'half', says: SHUT_DOWN },
  { what: 'SIGINT in mid-answer', steps: [HALF], by: 'SIGINT', at: 'half', says: SHUT_DOWN },
  { what: 'kill -9 in mid-answer', steps: [HALF], by: 'SIGKILL', at: 'half', says: DIED },

  ...FAULTS.map(
    ({ what, step, says }): Row => ({
      what: `${what}, after a tool`,
      steps: [callTool('look', {}), step],
      by: 'provider',
      says,
    }),
  ),
  { what: 'a stop in a tool', steps: [SLOW_TOOL], by: 'stop', at: 'tool', says: STOPPED },
  { what: 'SIGTERM in a tool', steps: [SLOW_TOOL], by: 'SIGTERM', at: 'tool', says: SHUT_DOWN },
  { what: 'SIGINT in a tool', steps: [SLOW_TOOL], by: 'SIGINT', at: 'tool', says: SHUT_DOWN },
  { what: 'kill -9 in a tool', steps: [SLOW_TOOL], by: 'SIGKILL', at: 'tool', says: DIED },

  { what: 'SIGTERM, one waiting', steps: [HALF], by: 'SIGTERM', at: 'half', waiting: true, says: SHUT_DOWN },
  { what: 'SIGINT, one waiting', steps: [HALF], by: 'SIGINT', at: 'half', waiting: true, says: SHUT_DOWN },
  { what: 'kill -9, one waiting', steps: [HALF], by: 'SIGKILL', at: 'half', waiting: true, says: DIED },
];
