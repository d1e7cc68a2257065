import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { type SessionInfo, storedPlaceOf, titleOf } from '../../record/index.ts';
import { type FindOptions, findSession, type Session } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import { sayAge, sayCount } from '../terminal/say.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import type { ChatPlace } from './chat.ts';

export const OWNER = 'Throughline chat';

/** The session that a chat goes on with, and the newer ones that it does not. */
export interface LastSession {
  readonly session: Session | undefined;
  readonly skipped: readonly Skipped[];
}

export interface Skipped {
  readonly why: 'other-project' | 'held';
  readonly info: SessionInfo;
}

export interface OpenLastOptions {
  readonly open: (info: SessionInfo) => Promise<Session>;
  /** Told of the newest that somebody else is writing in. `undefined` leaves it alone. */
  readonly onHeld: (info: SessionInfo, held: ThroughlineError) => Promise<Session | undefined>;
}

/** The session that a person names. The log of a project's memory or board is no conversation, also by its whole id. */
export async function findConversation(
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

const PAGE = 50;

/**
 * Opens the newest session of the project that nobody is writing in. What is newer and was not taken is told: the wrong
 * session must never be picked up in silence.
 */
export async function openLastSession(
  place: ChatPlace,
  { open, onHeld }: OpenLastOptions,
): Promise<LastSession> {
  const { store } = place;
  const skipped: Skipped[] = [];
  const isOurs = await projectCheck(place);
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ limit: PAGE, ...(cursor && { cursor }) });
    for (const info of page.sessions) {
      if (info.totals.messages === 0 && info.state.restoration === undefined) continue;
      if (!(await isOurs(info))) {
        skipped.push({ why: 'other-project', info });
        continue;
      }
      try {
        return { session: await open(info), skipped };
      } catch (error) {
        if (!isThroughlineError(error, 'lease-held')) throw error;
        const first = skipped.every(({ why }) => why !== 'held');
        const session = first ? await onHeld(info, error) : undefined;
        if (session) return { session, skipped };
        skipped.push({ why: 'held', info });
      }
    }
    cursor = page.cursor;
    if (!cursor) return { session: undefined, skipped };
  }
}

async function projectCheck({ store, project }: ChatPlace) {
  const { projectOfSession } = await import('../../memory/index.ts');
  const known = new Map<unknown, boolean>();
  return async (info: SessionInfo): Promise<boolean> => {
    const own = info.state.settings.project;
    if (own === project.id || project.folders.some(({ path }) => path === own)) return true;
    if (!known.has(own)) known.set(own, (await projectOfSession(store, info))?.id === project.id);
    return known.get(own)!;
  };
}

/** `"Rate limiter", 3 h ago, 12 messages (simple_sally_20251230_112153)`. */
export function describeChoice({ id, state, updatedAt, totals }: SessionInfo): string {
  const title = visibleLine(titleOf(state)) || '(untitled)';
  return `"${title}", ${sayAge(updatedAt)}, ${sayCount(totals.messages, 'message')} (${id})`;
}

const SHOWN = 2;

export function describeSkipped(skipped: readonly Skipped[]): string[] {
  const held = skipped.filter(({ why }) => why === 'held');
  const others = skipped.filter(({ why }) => why === 'other-project');
  const lines = held
    .slice(0, SHOWN)
    .map(
      ({ info }) =>
        `Skipped ${describeChoice(info)}: somebody is writing in it. "--continue ${info.id}" with --fork, --read-only or --take-over opens it.`,
    );
  if (others.length > 0) {
    const newest = others[0]!.info;
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    lines.push(`Skipped, newer but of other projects: ${describeChoice(newest)}${more}.`);
  }
  return lines;
}
