import { isThroughlineError, ThroughlineError } from '../../../errors.ts';
import { createAppOperation, type OperationResult, perform } from '../../../operations/index.ts';
import { listCandidatesOperation } from '../../../operations/session/index.ts';
import { type SessionInfo, storedPlaceOf } from '../../../record/index.ts';
import { type FindOptions, findSession, type Session, titleInChain } from '../../../session/index.ts';
import type { Store } from '../../../store/index.ts';
import { sayCount, sayTitle } from '../../../text/index.ts';
import { sayAge } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { ChatPlace } from './chat.ts';

export const CHAT_OWNER = 'Throughline chat';

/** The session that a chat goes on with, and the newer ones that it does not. */
interface LastSession {
  readonly session: Session | undefined;
  readonly skipped: readonly Skipped[];
}

type Candidate = Omit<OperationResult<typeof listCandidatesOperation>['sessions'][number], 'own'>;

interface Skipped {
  readonly why: 'other-project' | 'held';
  readonly session: Candidate;
}

interface OpenLastOptions {
  readonly open: (info: SessionInfo) => Promise<Session>;
  /** Called for the newest that another program is writing in. `undefined` leaves it alone. */
  readonly onHeld: (info: SessionInfo, held: ThroughlineError) => Promise<Session | undefined>;
}

/** The session that a person names. The log of a project's memory or board is no conversation, also by its whole id. */
export async function findChatConversation(
  store: Store,
  reference: string,
  options: FindOptions,
): Promise<SessionInfo> {
  const info = await findSession(store, reference, options);
  if (storedPlaceOf(info.state) !== 'memory') return info;
  throw new ThroughlineError(
    'session-not-found',
    `"${info.id}" is what a project knows or its board, and no session to talk in.`,
    { details: { session: info.id } },
  );
}

/**
 * Opens the newest session of the project that no other program is writing in. Newer sessions that were not taken are shown: the
 * wrong session must never be picked up in silence.
 */
export async function openLastSession(
  place: ChatPlace,
  { open, onHeld }: OpenLastOptions,
): Promise<LastSession> {
  const { store, folder } = place;
  const skipped: Skipped[] = [];
  await using app = createAppOperation(store);
  for (let cursor: string | undefined; ; ) {
    const page = await perform(listCandidatesOperation, { folder, cursor }, app);
    for (const { own, ...candidate } of page.sessions) {
      const info = own ? await store.session(candidate.id) : undefined;
      if (!info) {
        skipped.push({ why: 'other-project', session: candidate });
        continue;
      }
      try {
        return { session: await open(info), skipped };
      } catch (error) {
        if (!isThroughlineError(error, 'lease-held')) throw error;
        const first = skipped.every(({ why }) => why !== 'held');
        const session = first ? await onHeld(info, error) : undefined;
        if (session) return { session, skipped };
        skipped.push({ why: 'held', session: candidate });
      }
    }
    cursor = page.cursor;
    if (!cursor) return { session: undefined, skipped };
  }
}

/** `"Rate limiter", 3 h ago, 12 messages (simple_sally_20251230_112153)`. */
export async function describeChoice(store: Store, info: SessionInfo): Promise<string> {
  const { id, updatedAt, totals } = info;
  return describe({ id, title: await titleInChain(store, info), updatedAt, messages: totals.messages });
}

function describe({ id, title, updatedAt, messages }: Candidate): string {
  const name = visibleLine(sayTitle(title));
  return `"${name}", ${sayAge(updatedAt)}, ${sayCount(messages, 'message')} (${id})`;
}

const SHOWN = 2;

/** `hasOwn`: a session of the project was opened. */
export function describeSkipped(skipped: readonly Skipped[], { hasOwn }: { hasOwn: boolean }): string[] {
  const held = skipped.filter(({ why }) => why === 'held');
  const others = skipped.filter(({ why }) => why === 'other-project');
  const lines = held
    .slice(0, SHOWN)
    .map(
      ({ session }) =>
        `Skipped ${describe(session)}: another program is writing in it. "--continue ${session.id}" with --fork, --read-only or --take-over opens it.`,
    );
  if (others.length > 0) {
    const newest = others[0]!.session;
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    const said = hasOwn
      ? 'Skipped, newer but of other projects'
      : 'No session of this project yet; of others';
    lines.push(`${said}: ${describe(newest)}${more}.`);
  }
  return lines;
}
