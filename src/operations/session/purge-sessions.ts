import { z } from 'zod';
import { type SessionInfo, titleOf } from '../../record/index.ts';
import { getSession, purgeSession } from '../../session/index.ts';
import type { Agreeing, App, Machine } from '../app.ts';
import { SessionField } from '../fields.ts';
import { operation, type Request } from '../operation.ts';
import { ownEntries, planPurge } from './plan-purge.ts';

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
  const { forgetInIndexes } = await import('../../recall/index.ts');
  const ids = gone.map(({ id }) => id);
  await forgetInIndexes(store, ids, { ...(onProgress && { onProgress }) });
}

function describe(info: SessionInfo) {
  const { id, state, totals } = info;
  return { id, title: titleOf(state), entries: ownEntries(info), messages: totals.messages };
}
