import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Entry, SessionInfo } from '../../../src/record/index.ts';
import type { Store } from '../../../src/store/index.ts';
import { openSqliteStore } from '../../../src/store/sqlite/index.ts';
import {
  assistant,
  compaction,
  conversation,
  fixedClock,
  foreign,
  mark,
  restoration,
  setting,
  toolResult,
  user,
} from '../../../src/testing/index.ts';

export const PAGE = 4096;

export function newFolder(): AsyncDisposable & { readonly file: (name: string) => string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'throughline-salvage-'));
  return {
    file: (name) => path.join(folder, name),
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Text in which no 24 bytes come twice, so that a piece of it tells where in the file it is. */
export function uniqueText(name: string, length: number): string {
  let text = '';
  for (let count = 0; text.length < length; count++) text += `${name}.${count.toString(36)} `;
  return text.slice(0, length);
}

/** Sessions of every kind: long, forked, forked again, resumed, with blobs, notes, titles and foreign entries. */
export async function fillStore(store: Store, { turns = 40 }: { turns?: number } = {}): Promise<void> {
  const say = (session: string, from: number, count: number) =>
    Array.from({ length: count }, (_, at) => {
      const name = `${session}${from + at}`;
      return at % 2 === 0
        ? user(uniqueText(`q${name}`, 60 + ((at * 137) % 900)))
        : assistant(uniqueText(`a${name}`, 100 + ((at * 211) % 1500)), {
            usage: { inputTokens: 10 + at, outputTokens: 5, cost: 0.25 },
          });
    });
  await store.create({ id: 'alpha' }, conversation(...say('alpha', 1, turns)));
  const [first] = await store.read('alpha', { limit: 1 });
  await store.append('alpha', [
    ...conversation(setting('title', 'The first one'), setting('tag', 'red'), setting('tag', 'blue')),
    ...conversation(mark('pinned', first!.id), mark('excluded', { from: 3, to: 4 })),
    ...conversation(compaction({ covers: { from: 1, to: 20 }, summary: uniqueText('summary', 700) })),
  ]);
  await store.append('alpha', conversation(...say('alpha', turns + 7, turns)));
  await store.create(
    { id: 'beta', parent: { session: 'alpha', relation: 'fork', seq: turns } },
    conversation(...say('beta', turns + 1, turns)),
  );
  await store.create(
    { id: 'gamma', parent: { session: 'beta', relation: 'fork', seq: turns + 10 } },
    conversation(setting('title', 'The branch of a branch'), ...say('gamma', turns + 12, 10)),
  );
  await store.create(
    { id: 'delta', parent: { session: 'alpha', relation: 'resume', seq: turns } },
    conversation(restoration('alpha', uniqueText('restored', 300)), ...say('delta', 2, 10)),
  );
  for (const size of [9_000, 30_000, 31_000]) {
    await store.create({ id: `long_${size}` }, conversation(user(uniqueText(`long${size}`, size))));
  }
  await store.create(
    { id: 'heavy' },
    conversation(
      user(uniqueText('blob', 150_000)),
      user([
        {
          type: 'file',
          mediaType: 'image/png',
          data: Uint8Array.from({ length: 70_000 }, (_, at) => at % 251),
        },
      ]),
      toolResult('read', { lines: Array.from({ length: 3000 }, (_, line) => uniqueText(`l${line}`, 40)) }),
      user('small enough to stay'),
    ),
  );
  await store.create(
    { id: 'other' },
    conversation(user('päivää 🐘 \0 \ud800'), foreign('hologram', { depth: 3 })),
  );
  await store.append('other', conversation(setting('archived', true)));
  await store.create({ id: 'waste' }, conversation(...say('waste', 1, 3), setting('trashed', true)));
  await store.create({ id: 'empty' });
}

export async function makeStore(file: string, options?: { turns?: number }): Promise<void> {
  await using store = await openSqliteStore(file, { now: fixedClock().now });
  await fillStore(store, options);
}

export interface Contents {
  readonly sessions: Record<string, SessionInfo>;
  readonly entries: Record<string, readonly Entry[]>;
}

/** All that the port shows of a store. */
export async function contentsOf(file: string): Promise<Contents> {
  await using store = await openSqliteStore(file, { readOnly: true });
  const sessions: Record<string, SessionInfo> = {};
  const entries: Record<string, readonly Entry[]> = {};
  for (const place of ['active', 'archived', 'trashed'] as const) {
    for (const session of (await store.list({ limit: 1000, place })).sessions) {
      sessions[session.id] = session;
      entries[session.id] = await store.read(session.id);
    }
  }
  return { sessions, entries };
}

export interface StoredRow {
  readonly session: string;
  readonly seq: number;
  readonly at: number;
  readonly tokens: number;
  readonly body: string;
}

/** The entries as they are stored, by id: each once, under the session that owns it. */
export function rowsOf(file: string): Map<string, StoredRow> {
  using db = new DatabaseSync(file, { readOnly: true });
  const rows = db
    .prepare(
      `select hex(e.id) as id, s.id as session, e.position & 4294967295 as seq, e.at, e.tokens, e.body
       from entries e join sessions s on s.key = e.position >> 32`,
    )
    .all();
  return new Map(rows.map(({ id, ...row }) => [id as string, { ...row } as unknown as StoredRow]));
}

export function blobsOf(file: string): Set<string> {
  using db = new DatabaseSync(file, { readOnly: true });
  return new Set(
    db
      .prepare('select lower(hex(hash)) as hash from blobs')
      .all()
      .map(({ hash }) => hash as string),
  );
}

/** The pages (from 1) of a table or an index, as SQLite itself tells. */
export function treePages(file: string, ...names: readonly string[]): number[] {
  using db = new DatabaseSync(file, { readOnly: true });
  const pages = db.prepare('select pageno from dbstat where name = ? order by pageno');
  return names.flatMap((name) => pages.all(name).map(({ pageno }) => pageno as number));
}

/** A copy of a store in which these pages (from 1) hold something else. */
export function damage(
  file: string,
  copy: string,
  pages: Iterable<number>,
  fill: (page: Buffer) => void,
): void {
  const bytes = readFileSync(file);
  for (const page of pages) fill(bytes.subarray((page - 1) * PAGE, page * PAGE));
  writeFileSync(copy, bytes);
}

/** What a salvaged store still has to complain about: nothing but blobs that were lost, if anything. */
export async function problemsOf(file: string): Promise<readonly string[]> {
  await using store = await openSqliteStore(file, { readOnly: true });
  const { problems, stored, listed } = await store.verify();
  const counts = stored === listed ? [] : [`${stored} stored, ${listed} listed`];
  return [...counts, ...problems.filter(({ code }) => code !== 'blob-missing').map(({ message }) => message)];
}

/** A digest of the file and of those beside it. */
export function fingerprint(file: string): string {
  const hash = createHash('sha256');
  for (const part of ['', '-wal', '-shm'])
    if (existsSync(file + part)) hash.update(part).update(readFileSync(file + part));
  return hash.digest('hex');
}

/** Which pages of the file (from 0) hold this text: as a whole, or any piece of it that is nowhere else. */
export function pagesWith(bytes: Buffer, text: string): Set<number> {
  const pages = new Set<number>();
  const needle = Buffer.from(text);
  const whole = findAll(bytes, needle);
  for (const at of whole) {
    pages.add(Math.floor(at / PAGE));
    pages.add(Math.floor((at + needle.length - 1) / PAGE));
  }
  if (whole.length > 0) return pages;
  for (let start = 0; start < needle.length; start += 20) {
    const found = findAll(bytes, needle.subarray(start, start + 24));
    if (found.length === 1) pages.add(Math.floor(found[0]! / PAGE));
  }
  return pages;
}

function findAll(bytes: Buffer, piece: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf(piece); at >= 0; at = bytes.indexOf(piece, at + 1)) found.push(at);
  return found;
}
