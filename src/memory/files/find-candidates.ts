import { posix } from 'node:path';
import type { Recall } from '../../recall/index.ts';
import type { Seq, SessionId, SessionInfo } from '../../record/index.ts';
import { isAt, projectPath, type Roots } from './project-path.ts';

/** A search returns at most this many; as many may be all there are, or not. */
const MOST_HITS = 300;
/** Names that stand in a message as they are, whatever quotes or escapes are around them. */
const PLAIN_NAME = /^[\w@.-]*[A-Za-z0-9][\w@.-]*$/;

/**
 * For each session the messages that may have touched the path, for those where the index can tell: touching a file names it.
 * Sessions that are missing have to be read. `undefined` when the index cannot tell at all.
 */
export async function findCandidates(
  recall: Recall,
  asked: string,
  {
    sessions,
    roots,
    isWhole,
  }: {
    sessions: readonly SessionInfo[];
    roots: (session: SessionInfo) => Roots;
    /** Whether all that one sees in the session is its own or of another session that is asked about. */
    isWhole: (session: SessionInfo) => boolean;
  },
): Promise<Map<SessionId, Seq[]> | undefined> {
  const name = posix.basename(asked);
  if (asked === '' || asked.startsWith('/') || asked.startsWith('..') || !PLAIN_NAME.test(name))
    return undefined;
  // A session that works inside a folder need not name it.
  const mustName = (info: SessionInfo) => isWhole(info) && !isAt(projectPath('.', roots(info)), asked);
  const told = sessions.filter(mustName);
  if (told.length === 0) return undefined;
  const within = told.map(({ id, head }) => ({ session: id, from: 1, to: head }));
  const hits = await recall.search(name, { by: 'words', within, limit: MOST_HITS });
  if (hits.length >= MOST_HITS) return undefined;
  const candidates = new Map<SessionId, Seq[]>(told.map(({ id }) => [id, []]));
  for (const { session, seq } of hits) candidates.get(session)?.push(seq);
  return candidates;
}
