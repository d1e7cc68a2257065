import {
  digestEntries,
  foldNotes,
  saidEntries,
  statedLines,
  withStatedLines,
} from '../../compaction/index.ts';
import { ThroughlineError } from '../../errors.ts';
import { projectOfSession } from '../../project/index.ts';
import { type SessionId, type SessionInfo, settingEntry, settingsOf } from '../../record/index.ts';
import { getSession, readConversation } from '../../session/index.ts';
import type { Store } from '../../store/index.ts';
import type { Checkpoint } from '../../summary/index.ts';
import type { Desk } from '../desk.ts';

// One session sees the checkpoint of another only because it was named: a tester is shown what the developer came to, and not
// how. It is read when a request is built, and nothing of it is written anywhere.

const SHOWS = 'shows:';
const DIGEST_TOKENS = 1500;

/** From now on requests of a session show how another one stands. */
export async function showCheckpoint(desk: Desk, id: SessionId, other: SessionId): Promise<void> {
  const info = await getSession(desk.store, id);
  const shown = await getSession(desk.store, other);
  if (id === other)
    throw new ThroughlineError('usage', `Session "${id}" sees its own checkpoint already.`, {
      details: { session: id },
    });
  if (!(await isOfProject(desk, shown)))
    throw new ThroughlineError('usage', `Session "${other}" is of another project than "${id}".`, {
      details: { session: other },
    });
  if (!info.state.settings[`${SHOWS}${other}`]) await set(desk, id, other, true);
}

export async function hideCheckpoint(desk: Desk, id: SessionId, other: SessionId): Promise<void> {
  await set(desk, id, other, null);
}

export function shownIn({ state }: SessionInfo): SessionId[] {
  return settingsOf(state.settings, SHOWS).map(([other]) => other);
}

const known = new WeakMap<Store, Map<SessionId, { head: number; checkpoint: Checkpoint }>>();

/**
 * The state of another session now, uncompacted entries included. One that is gone is not shown, nor is one of another project:
 * readers of the request need not reach that.
 */
export async function readShown(desk: Desk, id: SessionId): Promise<Checkpoint | undefined> {
  const { store } = desk;
  const info = await store.session(id);
  if (!info || !(await isOfProject(desk, info))) return undefined;
  const kept = known.get(store) ?? new Map();
  known.set(store, kept);
  const before = kept.get(id);
  if (before?.head === info.head) return before.checkpoint;
  const { frontier } = await readConversation(store, info);
  const bare = saidEntries(frontier.filter(({ body }) => body.kind === 'message'));
  const unwritten =
    bare.length === 0
      ? []
      : [
          {
            place: bare.at(-1)!.seq,
            summary: withStatedLines(digestEntries(bare, { maxTokens: DIGEST_TOKENS }), statedLines(bare)),
          },
        ];
  const checkpoint = await foldNotes(store, info, { unwritten });
  kept.set(id, { head: info.head, checkpoint });
  return checkpoint;
}

async function isOfProject(desk: Desk, info: SessionInfo): Promise<boolean> {
  // Another process may have written the project down since: looking at the board finds that out.
  if (!desk.place.project.known) await desk.board();
  return (await projectOfSession(desk.store, info))?.id === desk.place.project.id;
}

/** A setting needs no lease: showing is allowed also while the session is being written. */
async function set({ store, now }: Desk, id: SessionId, other: SessionId, value: true | null): Promise<void> {
  await store.append(id, [settingEntry(`${SHOWS}${other}`, value, { by: 'user', at: now() })]);
}
