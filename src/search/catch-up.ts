import { setImmediate as otherWork } from 'node:timers/promises';
import { isSessionMissing, isThroughlineError, ThroughlineError } from '../errors.ts';
import { type Entry, PLACES, type Seq, type SessionId, type SessionInfo } from '../record/index.ts';
import type { Store } from '../store/index.ts';
import type { Page } from './index/index-batch.ts';
import type { IndexSessionRow } from './index/tables.ts';
import { type PageSource, preparePage } from './prepare-page.ts';
import type { CatchUpOptions, CatchUpReport } from './recall.ts';

const PAGE = 200;
const BATCH_MESSAGES = 2_000;
const BATCH_CHARACTERS = 4_000_000;

/** What catching up needs of the index. */
export interface Shelf {
  session(id: SessionId): IndexSessionRow | undefined;
  sessions(): IndexSessionRow[];
  /** Writes pages and their positions in one transaction; returns how many messages were new. */
  write(pages: readonly Page[]): Promise<number>;
  forget(sessions: readonly IndexSessionRow[]): Promise<void>;
  /** Asks a provider for the vectors that are still missing; returns how many then are. */
  fillMeanings(onStep: (waiting: number) => void): Promise<number>;
}

/** Reads every log from where the index has it to its end. */
export async function catchUp(
  source: PageSource,
  shelf: Shelf,
  { onProgress, signal, sessions, upTo = Number.POSITIVE_INFINITY }: CatchUpOptions,
): Promise<CatchUpReport> {
  const stop = () => {
    if (signal?.aborted)
      throw new ThroughlineError('cancelled', 'Indexing was stopped; it goes on from here next time.', {
        cause: signal.reason,
      });
  };
  stop();
  const { behind, gone } = await compare(source.store, shelf, { only: sessions, upTo });
  await shelf.forget(gone);
  let unreadable = 0;
  let messages = 0;
  let done = 0;
  const total = behind.reduce((sum, { info, after }) => sum + info.head - after, 0);
  let pages: Page[] = [];
  let weight = 0;
  async function flush(): Promise<void> {
    if (pages.length === 0) return;
    messages += await shelf.write(pages);
    done += pages.reduce((sum, { after, upTo }) => sum + upTo - after, 0);
    pages = [];
    weight = 0;
    onProgress?.({ done, total });
    stop();
  }
  for (const { info, after: start } of behind) {
    for (let after = start; after < info.head; ) {
      // A store in a file answers at once: without this, timers, signals and other calls wait for the whole catch-up.
      await otherWork();
      const read = await readPage(source.store, info, after);
      if (!read) break;
      unreadable += read.lost;
      const page = await preparePage(source, info, { ...read, after });
      pages.push(page);
      weight += weightOf(page);
      after = read.upTo;
      if (weight >= 1) await flush();
    }
  }
  await flush();
  let most = 0;
  const withoutMeaning = await shelf.fillMeanings((waiting) => {
    most = Math.max(most, waiting);
    onProgress?.({ done: done + most - waiting, total: total + most });
    stop();
  });
  return { messages, forgotten: gone.length, unreadable, withoutMeaning };
}

interface Behind {
  readonly info: SessionInfo;
  readonly after: Seq;
}

/** Which sessions have grown, oldest first, and which are in the index but no longer what they were in the store. */
async function compare(
  store: Store,
  shelf: Shelf,
  { only, upTo }: { only: readonly SessionId[] | undefined; upTo: Seq },
): Promise<{ behind: Behind[]; gone: IndexSessionRow[] }> {
  const known = new Map((only ? [] : shelf.sessions()).map((row) => [row.id, row]));
  for (const id of only ?? []) {
    const row = shelf.session(id);
    if (row) known.set(id, row);
  }
  const behind: Behind[] = [];
  const gone: IndexSessionRow[] = [];
  for await (const info of only ? named(store, only) : everySession(store)) {
    const row = known.get(info.id);
    known.delete(info.id);
    // The same name for another session, or a log that was set back: the indexed text belongs to no existing log.
    const stale = row && (row.createdAt !== info.createdAt || row.watermark > info.head);
    if (stale) gone.push(row);
    const shared = info.parent?.relation === 'fork' ? info.parent.seq : 0;
    const after = row && !stale ? row.watermark : shared;
    const head = Math.min(info.head, upTo);
    if (after < head) behind.push({ info: { ...info, head }, after });
  }
  for (const row of known.values()) if (!(await store.session(row.id))) gone.push(row);
  return { behind: behind.sort((a, b) => a.info.createdAt - b.info.createdAt), gone };
}

async function* named(store: Store, ids: readonly SessionId[]): AsyncGenerator<SessionInfo> {
  for (const id of ids) {
    const info = await store.session(id);
    if (info) yield info;
  }
}

async function* everySession(store: Store): AsyncGenerator<SessionInfo> {
  // A session that moves between places while they are listed may come twice or not at all; once is enough, and the next time
  // finds missed entries.
  const seen = new Set<SessionId>();
  for (const place of PLACES) {
    for (let cursor: string | undefined; ; ) {
      const page = await store.list({ place, limit: 500, ...(cursor && { cursor }) });
      for (const info of page.sessions) {
        if (!seen.has(info.id)) yield info;
        seen.add(info.id);
      }
      cursor = page.cursor;
      if (!cursor) break;
    }
  }
}

interface ReadPage {
  readonly entries: readonly Entry[];
  readonly upTo: Seq;
  readonly lost: number;
}

/** `undefined` if the session has been purged. */
async function readPage(store: Store, { id, head }: SessionInfo, after: Seq): Promise<ReadPage | undefined> {
  try {
    const entries = await store.read(id, { after, upTo: head, limit: PAGE, only: 'messages' });
    return { entries, upTo: entries.length < PAGE ? head : entries.at(-1)!.seq, lost: 0 };
  } catch (error) {
    if (isSessionMissing(error)) return undefined;
    if (!isThroughlineError(error, 'entry-unreadable')) throw error;
    return readOneByOne(store, id, { after, upTo: Math.min(head, after + PAGE) });
  }
}

async function readOneByOne(
  store: Store,
  id: SessionId,
  { after, upTo }: { after: Seq; upTo: Seq },
): Promise<ReadPage> {
  const entries: Entry[] = [];
  let lost = 0;
  for (let seq = after; seq < upTo; seq++) {
    try {
      entries.push(...(await store.read(id, { after: seq, upTo: seq + 1, only: 'messages' })));
    } catch (error) {
      if (!isThroughlineError(error, 'entry-unreadable')) throw error;
      lost++;
    }
  }
  return { entries, upTo, lost };
}

/** How much of a batch a page fills: large enough to be worth a transaction, small enough not to delay other writers. */
function weightOf({ docs }: Page): number {
  const characters = docs.reduce((sum, { text }) => sum + text.length, 0);
  return (docs.length + 1) / BATCH_MESSAGES + characters / BATCH_CHARACTERS;
}
