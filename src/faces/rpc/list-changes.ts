import type { SessionId, SessionInfo, StoredPlace } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';

/** Changes since the last time, in any session and by any process. */
export interface ListChange {
  /** As they are now: conversations, and the logs of projects. */
  readonly changed: readonly SessionInfo[];
  readonly gone: readonly SessionId[];
}

export interface ListChanges {
  /** Resolves when every write from now on will be reported. */
  listen(listener: (change: ListChange) => void): Promise<() => void>;
}

const PLACES: readonly StoredPlace[] = ['active', 'archived', 'trashed', 'memory'];
/** So many of each place are compared when another process has written: more than a list shows at once. */
const NEWEST = 200;
/** Writes in quick succession are reported together. */
const GATHER_MS = 200;

/**
 * The store says of this process's writes which session they were in. Of another's it says only that there was one: then the
 * newest sessions are looked at, and those whose log has grown have changed. Nothing is read without listeners.
 */
export function createListChanges(
  store: Store,
  {
    gatherMs = GATHER_MS,
    onError = () => {},
  }: { gatherMs?: number; onError?: (error: unknown) => void } = {},
): ListChanges {
  const listeners = new Set<(change: ListChange) => void>();
  const named = new Set<SessionId>();
  let heads = new Map<SessionId, number>();
  let ready: Promise<void> | undefined;
  let unnamed = false;
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};

  function hint(session?: SessionId): void {
    if (session === undefined) unnamed = true;
    else named.add(session);
    lookSoon();
  }

  function lookSoon(): void {
    timer ??= setTimeout(() => void look().catch(onError), gatherMs);
  }

  async function start(): Promise<void> {
    stop = store.onChange(hint);
    heads = new Map((await newest(store)).map(({ id, head }) => [id, head]));
  }

  async function look(): Promise<void> {
    const ids = [...named];
    const everywhere = unnamed;
    named.clear();
    unnamed = false;
    try {
      const change = await compare(ids, everywhere);
      if (change.changed.length + change.gone.length > 0) for (const listener of listeners) listener(change);
    } finally {
      timer = undefined;
      if (listeners.size > 0 && (named.size > 0 || unnamed)) lookSoon();
    }
  }

  async function compare(ids: readonly SessionId[], everywhere: boolean): Promise<ListChange> {
    const changed = new Map<SessionId, SessionInfo>();
    const missing = new Set(ids);
    if (everywhere) {
      const seen = await newest(store);
      for (const info of seen) if (heads.get(info.id) !== info.head) changed.set(info.id, info);
      const present = new Set(seen.map(({ id }) => id));
      for (const id of heads.keys()) if (!present.has(id)) missing.add(id);
      for (const id of present) missing.delete(id);
      // What has left the pages is asked for by name, now and not again.
      heads = new Map(seen.map(({ id, head }) => [id, head]));
    }
    const gone: SessionId[] = [];
    for (const id of missing) {
      const info = await store.session(id);
      if (!info) gone.push(id);
      else if (ids.includes(id)) changed.set(id, info);
    }
    for (const { id, head } of changed.values()) heads.set(id, head);
    for (const id of gone) heads.delete(id);
    return { changed: [...changed.values()], gone };
  }

  return {
    async listen(listener) {
      listeners.add(listener);
      ready ??= start();
      const leave = () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        stop();
        clearTimeout(timer);
        timer = undefined;
        ready = undefined;
      };
      await ready.catch((error: unknown) => {
        leave();
        throw error;
      });
      return leave;
    },
  };
}

async function newest(store: Store): Promise<SessionInfo[]> {
  const pages: SessionInfo[] = [];
  for (const place of PLACES) pages.push(...(await store.list({ place, limit: NEWEST })).sessions);
  return pages;
}
