import { ThroughlineError } from '../../../errors.ts';
import { createAppOperation, openBehindServer, perform } from '../../../operations/index.ts';
import { forkSessionOperation } from '../../../operations/session/index.ts';
import type { SessionInfo } from '../../../record/index.ts';
import { openSession, refuseTrashed, type Session } from '../../../session/index.ts';
import type { LeaseOwner, Store } from '../../../store/index.ts';
import type { Chat, ChatOptions } from './chat.ts';
import { CHAT_OWNER, describeChoice } from './choose-session.ts';

/** The ways into a session that another program is writing in. */
type Way = 'read-only' | 'fork' | 'take-over';

export function wayOf({ readOnly, fork, takeOver }: ChatOptions): Way | undefined {
  if (readOnly) return 'read-only';
  if (fork) return 'fork';
  return takeOver ? 'take-over' : undefined;
}

/** With `onWait`, a server that is about to give the session back is waited for. */
export async function openIn(
  store: Store,
  info: SessionInfo,
  way: Way | undefined,
  { waitMs = 0, onWait }: { waitMs?: number; onWait?: ((held: ThroughlineError) => void) | undefined } = {},
): Promise<Session> {
  if (way === 'read-only') return openSession(store, info.id, { mode: 'read' });
  if (way !== 'fork') refuseTrashed(info);
  await using app = createAppOperation(store);
  const { id } = way === 'fork' ? await perform(forkSessionOperation, { sessionId: info.id }, app) : info;
  const how = { owner: CHAT_OWNER, waitMs, ...(way === 'take-over' && { takeOver: true }) };
  return onWait ? openBehindServer(store, id, how, onWait) : openSession(store, id, how);
}

/**
 * Asks what to do about a session that is held: by a living process, since what a dead one left is taken over without a
 * question. `another`: leave it alone. Without a terminal to ask in it is an error that says which options there are.
 */
export async function chooseWay(
  { screen, input, place }: Pick<Chat, 'screen' | 'input' | 'place'>,
  info: SessionInfo,
  held: ThroughlineError,
): Promise<Way | 'another'> {
  if (!input.interactive) throw withOptions(held);
  screen.say(`${await describeChoice(place.store, info)} is being written by ${describeHolder(held)}.`);
  for (const [key, what] of MENU) screen.say(`  ${key}  ${what}`);
  for (;;) {
    const answer = (await input.ask('Which? (r/f/t/n)'))?.trim().toLowerCase();
    if (answer === undefined) throw new ThroughlineError('cancelled', 'Nothing was opened.');
    if (answer === 'r') return 'read-only';
    if (answer === 'f') return 'fork';
    if (answer === 'n') return 'another';
    if (answer === 't' && (await input.confirm('It is alive, and loses the right to write. Sure? (y/n)')))
      return 'take-over';
  }
}

const MENU = [
  ['r', 'read-only: look at it, search it, branch off later'],
  ['f', 'fork: go on in a session of your own that shares it'],
  ['t', 'take over: go on in it, and the other one cannot any more'],
  ['n', 'another session'],
] as const;

function withOptions(held: ThroughlineError): ThroughlineError {
  const { session } = held.details;
  return new ThroughlineError(
    'lease-held',
    `Session "${session}" is being written by ${describeHolder(held)}. Say how to go on: --fork shares it, --read-only looks at it, --take-over takes it from the other one.`,
    { cause: held, details: held.details },
  );
}

export function describeHolder({ details }: ThroughlineError): string {
  const { name, host, pid } = details.holder as LeaseOwner;
  return `${name} (process ${pid} on ${host.split('/')[0]})`;
}
