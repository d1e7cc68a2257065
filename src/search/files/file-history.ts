import path, { posix } from 'node:path';
import { isSessionMissing, isThroughlineError } from '../../errors.ts';
import { findRoot, type Project, sessionsOf } from '../../project/index.ts';
import { type Seq, type SessionId, type SessionInfo, titleOf } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import type { Recall } from '../recall.ts';
import { endsLike, isAt, projectPath, type Roots } from './project-path.ts';
import { readFileTurns, readSession } from './read-session.ts';
import type { FileRequest, Touch } from './read-touches.ts';

/** Who touched a file, when, and why. */
export interface FileTouch extends Omit<Touch, 'path'> {
  /** Relative to the top of the project, or absolute when it lies outside. */
  readonly path: string;
  readonly session: SessionId;
  readonly title: string;
  readonly agent?: string;
  readonly request?: FileRequest;
}

export interface FileHistory {
  /** The file, as the project knows it; the project itself is ''. */
  readonly path: string;
  /** `end`: nothing is known of that very path, so paths that end like it are shown. */
  readonly matched: 'path' | 'end';
  /** Newest first. */
  readonly touches: readonly FileTouch[];
  /** There are older ones. */
  readonly more: boolean;
  /** Sessions of the project, and how many of them had to be read from beginning to end. */
  readonly sessions: number;
  readonly read: number;
  /** Sessions that hold an entry which cannot be read, so that what they did is not among the touches. */
  readonly damaged: readonly SessionId[];
}

interface FileHistoryOptions {
  readonly limit?: number;
  /** An index that has caught up and hides nothing: then only messages that name the file are read, where that is sure. */
  readonly recall?: Recall | undefined;
  /** What relative paths are relative to; the top of the project unless given. */
  readonly folder?: string;
}

const LIMIT = 50;

/**
 * Changes of a file or of a folder's files by sessions of a project, with the request behind each. Read from the logs
 * themselves: compacting changes nothing about it.
 */
export async function fileHistory(
  store: Store,
  project: Project,
  named: string,
  { limit = LIMIT, recall, folder }: FileHistoryOptions = {},
): Promise<FileHistory> {
  const rootsAt = createRoots(project);
  const asked = projectPath(folder === undefined ? named : path.resolve(folder, named), rootsAt(folder));
  const sessions = await sessionsOf(store, project);
  const roots = (info: SessionInfo) => rootsAt(baseOf(info));
  const ids = new Set(sessions.map(({ id }) => id));
  const isWhole = ({ parent }: SessionInfo) => parent?.relation !== 'fork' || ids.has(parent.session);
  const candidates = recall && (await findCandidates(recall, asked, { sessions, roots, isWhole }));
  const exact: FileTouch[] = [];
  const alike: FileTouch[] = [];
  const damaged: SessionId[] = [];
  const end = projectPath(named, { folders: [] });
  let read = 0;
  for (const info of sessions) {
    // Nothing in this session or in those after it is newer than the changes so far.
    if (exact.length > limit && newest(exact)[limit]!.at > info.updatedAt) break;
    // What a fork shares with its parent is its parent's, if that is one of them.
    const start = info.parent?.relation === 'fork' && isWhole(info) ? info.parent.seq : 0;
    const seqs = candidates?.get(info.id);
    if (!seqs) read++;
    for (const touch of await readTolerantly(store, info, { start, seqs, damaged })) {
      const known = { ...touch, path: projectPath(touch.path, roots(info)), ...whose(info) };
      if (isAt(known.path, asked)) exact.push(known);
      else if (endsLike(known.path, end)) alike.push(known);
    }
  }
  const matched = exact.length > 0 ? 'path' : alike.length > 0 ? 'end' : 'path';
  const found = newest(matched === 'path' ? exact : alike);
  return {
    path: asked,
    matched,
    touches: found.slice(0, limit),
    more: found.length > limit,
    sessions: sessions.length,
    read,
    damaged,
  };
}

/** One damaged entry must not hide what all others say. It is named, and "doctor" knows more. */
async function readTolerantly(
  store: Store,
  info: SessionInfo,
  { start, seqs, damaged }: { start: Seq; seqs: readonly Seq[] | undefined; damaged: SessionId[] },
): Promise<Touch[]> {
  try {
    return seqs ? await readFileTurns(store, info, { start, seqs }) : await readSession(store, info, start);
  } catch (error) {
    // Purged while this was reading.
    if (isSessionMissing(error)) return [];
    if (!DAMAGE.some((code) => isThroughlineError(error, code))) throw error;
    damaged.push(info.id);
    return [];
  }
}

const DAMAGE = ['entry-unreadable', 'blob-missing', 'blob-damaged'] as const;

function whose({ id, state }: SessionInfo): Pick<FileTouch, 'session' | 'title' | 'agent'> {
  const { agent } = state.settings;
  return { session: id, title: titleOf(state), ...(agent !== undefined && { agent }) };
}

/** A session that calls its project by a folder worked in that folder. */
function baseOf({ state }: SessionInfo): string | undefined {
  const { project } = state.settings;
  return project !== undefined && path.isAbsolute(project) ? project : undefined;
}

/** Sessions in another work tree of the repository work on the same files under other names. */
function createRoots({ folders: known }: Project): (base: string | undefined) => Roots {
  const folders = known.map(({ path: folder }) => folder);
  const found = new Map<string | undefined, Roots>([[undefined, { folders }]]);
  return (base) => {
    const roots = found.get(base);
    if (roots) return roots;
    const { root, top } = findRoot(base!, (folder) => folders.includes(folder));
    const made = { folders: folders.includes(root) ? [...new Set([...folders, top])] : folders, base };
    found.set(base, made);
    return made;
  };
}

function newest(touches: readonly FileTouch[]): FileTouch[] {
  return touches.toSorted((a, b) => b.at - a.at || b.seq - a.seq || (a.session < b.session ? -1 : 1));
}

/** A search returns at most this many; as many may be all there are, or not. */
const MOST_HITS = 300;
/** Names that stand in a message as they are, whatever quotes or escapes are around them. */
const PLAIN_NAME = /^[\w@.-]*[A-Za-z0-9][\w@.-]*$/;

/**
 * For each session the messages that may have touched the path, for those where the index can tell: touching a file names it.
 * Sessions that are missing have to be read. `undefined` when the index cannot tell at all.
 */
async function findCandidates(
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
