import { isThroughlineError } from '../../errors.ts';
import {
  type EntryBody,
  equalJson,
  plainBody,
  type SessionId,
  type SessionInfo,
  STORED_PLACES,
} from '../../record/index.ts';
import { getSession } from '../../session/index.ts';
import { type RewrittenEntry, type Store, wholeBody } from '../../store/index.ts';
import { createRedactor, redactValue, type SecretFinder } from '../../text/secrets/index.ts';

export interface StoreScrubOptions {
  /** What counts as a secret. */
  readonly find: SecretFinder;
  /** Only these; otherwise everything in the store, hidden, trashed and what projects know included. */
  readonly sessions?: readonly SessionId[];
  readonly dryRun?: boolean;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ScrubbedSession {
  readonly id: SessionId;
  readonly entries: number;
}

export interface StoreScrub {
  /** Sessions of which entries were changed, or would be. */
  readonly sessions: readonly ScrubbedSession[];
  /** Forebears of the sessions that were named: forks of theirs show an entry with a secret, and it is not theirs to change. */
  readonly shared: readonly SessionId[];
  /** Sessions that another program writes in: they are as they were. */
  readonly busy: readonly SessionId[];
  /** How many different secrets were taken out. */
  readonly secrets: number;
  /** Those whose very id has one, which cannot be changed. */
  readonly named: readonly SessionId[];
}

const PAGE = 100;

/**
 * Takes secrets out of the logs themselves: messages, tool calls and results, summaries, settings, facts, blobs. The same
 * secret has the same placeholder everywhere. Ids, numbers and times stay. Indexes are not touched; forget the sessions there.
 */
export async function scrubStore(
  store: Store,
  { find, sessions, dryRun = false, onProgress }: StoreScrubOptions,
): Promise<StoreScrub> {
  const redactor = createRedactor({ find });
  const redact = (text: string) => redactor.text(text);
  const infos = await sessionsOf(store, sessions);
  const scrubbed: ScrubbedSession[] = [];
  const busy: SessionId[] = [];
  const named: SessionId[] = [];
  for (const [done, info] of infos.entries()) {
    const changed = await changesOf(store, info, redact);
    if ((await find(info.id)).length > 0) named.push(info.id);
    if (changed.length > 0) {
      if (dryRun || (await rewrite(store, info.id, changed)))
        scrubbed.push({ id: info.id, entries: changed.length });
      else busy.push(info.id);
    }
    onProgress?.({ done: done + 1, total: infos.length });
  }
  const shared = sessions ? await sharedSecrets(store, infos, find) : [];
  return { sessions: scrubbed, shared, busy, secrets: redactor.count, named };
}

/** The sessions, none of those given, whose entries with a secret these have in common with them. */
async function sharedSecrets(
  store: Store,
  infos: readonly SessionInfo[],
  find: SecretFinder,
): Promise<SessionId[]> {
  const redactor = createRedactor({ find });
  const given = new Set(infos.map(({ id }) => id));
  const shared = new Set<SessionId>();
  for (const info of infos) {
    let upTo = info.head;
    for (let fork = info; fork.parent?.relation === 'fork'; ) {
      upTo = Math.min(upTo, fork.parent.seq);
      fork = await getSession(store, fork.parent.session);
      if (given.has(fork.id) || shared.has(fork.id)) continue;
      const changes = await changesOf(store, { ...fork, head: upTo }, (text) => redactor.text(text));
      if (changes.length > 0) shared.add(fork.id);
    }
  }
  return [...shared];
}

async function sessionsOf(store: Store, named: readonly SessionId[] | undefined): Promise<SessionInfo[]> {
  if (named) return Promise.all(named.map((id) => getSession(store, id)));
  const infos: SessionInfo[] = [];
  for (const place of STORED_PLACES) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ place, limit: PAGE, ...(cursor && { cursor }) });
      infos.push(...page.sessions);
      cursor = page.cursor;
      if (!cursor) break;
    }
  }
  return infos;
}

/** The session's own entries that have a secret, without it. */
async function changesOf(
  store: Store,
  { id, parent, head }: SessionInfo,
  redact: (text: string) => Promise<string>,
): Promise<RewrittenEntry[]> {
  const changed: RewrittenEntry[] = [];
  for (let after = parent?.relation === 'fork' ? parent.seq : 0; after < head; ) {
    const page = await store.read(id, { after, upTo: head, limit: PAGE });
    for (const entry of page) {
      const body = await wholeBody(entry.body, (hash) => store.blob(hash));
      const without = (await redactValue(body, { redact, shortest: 1 })) as EntryBody;
      if (!equalJson(plainBody(without), plainBody(body))) changed.push({ id: entry.id, body: without });
    }
    if (page.length === 0) break;
    after = page.at(-1)!.seq;
  }
  return changed;
}

async function rewrite(store: Store, id: SessionId, changed: readonly RewrittenEntry[]): Promise<boolean> {
  try {
    await store.rewrite(id, changed);
    return true;
  } catch (error) {
    if (isThroughlineError(error, 'lease-held')) return false;
    throw error;
  }
}
