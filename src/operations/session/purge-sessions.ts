import { z } from 'zod';
import { ThroughlineError } from '../../errors.ts';
import { type SessionId, type SessionInfo, titleOf } from '../../record/index.ts';
import { getSession, purgeSession } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Agreeing, App, Machine } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation, type Request } from '../operation.ts';

const Going = z.strictObject({
  id: z.string(),
  title: z.string(),
  entries: z.int().describe('Of its own: entries that it shares with its parent stay.'),
});
const Planned = Going.extend({ purged: z.literal(false) });
const Gone = Going.extend({ blobs: z.int(), bytes: z.int(), purged: z.literal(true) });

const messages = z.int().describe('In all, with those that it shares.');
const result = z.strictObject({
  sessions: z.array(z.union([Planned.extend({ messages }), Gone.extend({ messages })])),
});
type Result = z.output<typeof result>;

export const purgeSessions = operation({
  name: 'session/purge',
  summary: 'Delete sessions for good, with all that only they use. Only from the trash.',
  writes: true,
  fails: ['session-not-trashed', 'session-has-forks', 'lease-held'],
  params: z.strictObject({
    sessions: z.array(SessionField).min(1),
    dryRun: z.boolean().default(false).describe('Only list the sessions that would go.'),
  }),
  result,
  faces: {
    cli: {
      purge: {
        schema: z.array(z.union([Planned, Gone])),
        of: ({ sessions }) => sessions.map(({ messages: _, ...session }) => session),
      },
    },
  },
  async run({ sessions: ids, dryRun }, app: Machine & Pick<App, 'store'> & Agreeing<Result>, request) {
    const { store, agree } = app;
    const infos: SessionInfo[] = [];
    for (const id of ids) infos.push(await getSession(store, id));
    const ordered = await planPurge(store, infos);
    const plan = { sessions: ordered.map((info) => ({ ...describe(info), purged: false as const })) };
    if (dryRun) return plan;
    await agree?.(plan);
    const gone: Result['sessions'] = [];
    try {
      for (const info of ordered)
        gone.push({ ...describe(info), ...(await purgeSession(store, info)), purged: true });
    } finally {
      // Also those before the one that could not be purged.
      if (gone.length > 0) await forget(app, gone, request);
    }
    return { sessions: gone };
  },
});

async function forget(
  { store }: Pick<App, 'store'>,
  gone: Result['sessions'],
  { onProgress }: Request,
): Promise<void> {
  const { forgetInIndexes } = await import('../../search/index.ts');
  const ids = gone.map(({ id }) => id);
  await forgetInIndexes(store, ids, { ...(onProgress && { onProgress }) });
}

function describe(info: SessionInfo) {
  const { id, state, totals } = info;
  return { id, title: titleOf(state), entries: ownEntries(info), messages: totals.messages };
}

/**
 * The order in which sessions can be purged: forks before the sessions they share entries with. Refuses the whole batch
 * if one of them cannot go, because the ones purged before it would be gone.
 */
async function planPurge(store: Store, sessions: readonly SessionInfo[]): Promise<SessionInfo[]> {
  const going = new Map(sessions.map((session) => [session.id, session]));
  for (const session of sessions) {
    if (session.state.trashedAt === undefined) throw notTrashed(session);
    const staying = await forksOf(store, session.id, (fork) => !going.has(fork));
    if (staying.length > 0) throw hasForks(session, staying);
  }
  const depth = ({ parent }: SessionInfo): number => {
    const shared = parent?.relation === 'fork' ? going.get(parent.session) : undefined;
    return shared ? 1 + depth(shared) : 0;
  };
  return [...sessions].sort((a, b) => depth(b) - depth(a));
}

/** Number of the session's own entries: those that it shares with its parent stay there. */
function ownEntries({ head, parent }: SessionInfo): number {
  return head - (parent?.relation === 'fork' ? parent.seq : 0);
}

async function forksOf(
  store: Store,
  parent: SessionId,
  wanted: (id: SessionId) => boolean,
): Promise<SessionId[]> {
  const forks: SessionId[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await store.list({ parent, limit: 500, ...(cursor && { cursor }) });
    for (const child of page.sessions)
      if (child.parent?.relation === 'fork' && wanted(child.id)) forks.push(child.id);
    cursor = page.cursor;
    if (!cursor) return forks;
  }
}

function notTrashed({ id }: SessionInfo): ThroughlineError {
  return new ThroughlineError(
    'session-not-trashed',
    `Nothing was purged: session "${id}" is not in the trash, and purging cannot be undone. Put it there first.`,
    { details: { session: id } },
  );
}

function hasForks({ id }: SessionInfo, forks: readonly SessionId[]): ThroughlineError {
  const [share, those] = forks.length === 1 ? ['shares', 'that one'] : ['share', 'those'];
  return new ThroughlineError(
    'session-has-forks',
    `Nothing was purged: ${forks.join(', ')} ${share} the entries of session "${id}". Purge ${those} first, or together with it.`,
    { details: { session: id, forks } },
  );
}
