import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { entryIdFromBytes } from '../../../src/record/index.ts';
import { entryCrc } from '../../../src/store/entry-format.ts';
import { type SalvageReport, salvageStore } from '../../../src/store/sqlite/index.ts';
import {
  type Contents,
  contentsOf,
  damage,
  makeStore,
  newFolder,
  problemsOf,
  rowsOf,
  treePages,
} from './salvage-fixture.ts';

// The files here are whole as far as SQLite can tell; what is in them cannot be true. Damage that keeps the form of a
// row looks like this: checksums cover an entry, not its number nor the row of its session.

interface Salvaged extends Contents {
  readonly report: SalvageReport;
  readonly original: Contents;
  readonly bodies: Map<string, string>;
}

async function salvageAfter(change: string | ((db: DatabaseSync) => void)): Promise<Salvaged> {
  await using folder = newFolder();
  const [file, saved] = [folder.file('store.db'), folder.file('saved.db')];
  await makeStore(file);
  const original = await contentsOf(file);
  const ids = rowsOf(file);
  using db = new DatabaseSync(file);
  if (typeof change === 'string') db.exec(change);
  else change(db);
  const report = await salvageStore(file, saved);
  expect(await problemsOf(saved)).toEqual([]);
  const rows = rowsOf(saved);
  const bodies = new Map([...ids.keys()].map((id) => [id, rows.get(id)?.body ?? 'lost']));
  return { report, original, bodies, ...(await contentsOf(saved)) };
}

const key = (session: string) => `(select key from sessions where id = '${session}')`;
const position = (session: string, seq: number) => `((${key(session)} << 32) | ${seq})`;

describe('salvaging a store that contradicts itself', () => {
  it('gives an entry with an impossible number a separate session', async () => {
    const { entries, original, report, bodies } = await salvageAfter(
      `update entries set position = position + (1 << 29) where position = ${position('alpha', 5)}`,
    );
    expect([...bodies.values()]).not.toContain('lost');
    expect(entries.salvaged_1).toMatchObject([{ ...original.entries.alpha![4], seq: 1 }]);
    expect(entries.alpha!.length).toBe(original.entries.alpha!.length);
    expect(entries.alpha![4]!.body).toMatchObject({ kind: 'unknown', was: 'lost' });
    expect(report.unreadable).toContainEqual({ session: 'alpha', seq: 5, reason: 'nothing of it was found' });
    expect(report.unreadable).toContainEqual({
      session: 'salvaged_1',
      reason: '1 of its entries had no place in their log and were numbered anew',
    });
  });

  it('keeps an entry that stands in its parent’s part of the log', async () => {
    const { bodies, entries } = await salvageAfter(
      `update entries set position = ${position('beta', 7)} where position = ${position('beta', 50)}`,
    );
    expect([...bodies.values()]).not.toContain('lost');
    expect(entries.salvaged_2).toHaveLength(1);
  });

  it.each([
    ['a head beyond all reason', `update sessions set head = 3000000000 where id = 'delta'`],
    ['no head to speak of', `update sessions set head = 0`],
    ['a fork of itself', `update sessions set parent = 'beta' where id = 'beta'`],
    [
      'forks that run in a circle',
      `update sessions set parent = 'gamma', relation = 'fork', parent_seq = 1 where id = 'alpha'`,
    ],
    ['a fork point beyond all reason', `update sessions set parent_seq = 4000000000 where id = 'beta'`],
    ['a fork point behind the parent’s end', `update sessions set parent_seq = 200 where id = 'gamma'`],
    ['a parent that never was', `update sessions set parent = 'nobody' where id = 'beta'`],
    ['no session rows', 'delete from sessions'],
    ['session rows that say less', `update sessions set state = 'x', usage = '', place = '?', name = null`],
    ['no indexes', 'drop index entries_by_id; drop index sessions_by_parent'],
    ['no leases, tags or uses', 'drop table leases; drop table tags; drop table blob_uses'],
  ])('loses no entry to %s', async (_, sql) => {
    const { bodies, sessions } = await salvageAfter(sql);
    expect([...bodies.values()].filter((body) => body === 'lost')).toEqual([]);
    expect(Math.max(...Object.values(sessions).map(({ head }) => head))).toBeLessThan(5000);
  });

  it('calls a session by the name that its forks know', async () => {
    await using folder = newFolder();
    const [file, damaged, saved] = ['store.db', 'damaged.db', 'saved.db'].map(folder.file) as [
      string,
      string,
      string,
    ];
    await makeStore(file);
    damage(file, damaged, treePages(file, 'sessions'), (page) => {
      const row = /(?<![a-z"])alpha(?![0-9"])/.exec(page.toString('latin1'));
      if (row) page.write('alpia', row.index);
    });
    const report = await salvageStore(damaged, saved);
    const { entries } = await contentsOf(saved);
    expect(entries.beta).toEqual((await contentsOf(file)).entries.beta);
    expect(report.unreadable).toEqual([{ session: 'alpha', reason: 'it is also called "alpia"' }]);
  });

  it('makes a parent full of gaps for a fork whose parent is lost', async () => {
    const { entries, sessions, original, report } = await salvageAfter(
      `delete from entries where position >> 32 = ${key('alpha')}; delete from sessions where id = 'alpha'`,
    );
    expect(sessions.beta!.parent).toEqual({ session: 'alpha', relation: 'fork', seq: 40 });
    expect(entries.beta!.slice(40)).toEqual(original.entries.beta!.slice(40));
    expect(entries.alpha).toHaveLength(40);
    expect(report.unreadable).toContainEqual({
      session: 'alpha',
      reason: 'nothing of it was found but its fork "beta"',
    });
    expect(report.unreadable).toContainEqual({
      session: 'alpha',
      seq: 1,
      upTo: 40,
      reason: 'nothing of it was found',
    });
  });

  it('counts the missing numbers inside a log and at its end', async () => {
    const { entries, report, original } = await salvageAfter(
      `delete from entries where position between ${position('alpha', 10)} and ${position('alpha', 19)};
       delete from entries where position >= ${position('alpha', 80)} and position >> 32 = ${key('alpha')}`,
    );
    const { length } = original.entries.alpha!;
    expect(report.unreadable).toEqual([
      { session: 'alpha', seq: 10, upTo: 19, reason: 'nothing of it was found' },
      { session: 'alpha', seq: 80, upTo: length, reason: 'nothing of it was found' },
    ]);
    expect(entries.alpha!.map(({ seq }) => seq)).toEqual(original.entries.alpha!.map(({ seq }) => seq));
  });

  it('does not let one damaged entry hide another with the same id', async () => {
    const { report, entries } = await salvageAfter(
      `drop index entries_by_id;
       update entries set id = (select id from entries where position = ${position('alpha', 3)})
       where position = ${position('alpha', 9)}`,
    );
    const reason = expect.stringMatching(/does not match its checksum/);
    expect(report.unreadable).toEqual([{ session: 'alpha', seq: 9, reason }]);
    expect(entries.alpha!.map(({ seq }) => seq)).toEqual(entries.alpha!.map((_, at) => at + 1));
  });

  it('keeps an intact entry that cannot be understood as a gap that says so', async () => {
    const body = '{"kind":"message"}';
    const { report } = await salvageAfter((db) => {
      const where = `where position = ${position('alpha', 3)}`;
      const { id, at } = db.prepare(`select id, at from entries ${where}`).get()!;
      const crc = entryCrc({ id: entryIdFromBytes(id as Uint8Array), at: at as number, json: body });
      db.exec(`update entries set body = '${body}', crc = ${crc} ${where}`);
    });
    const reason = expect.stringMatching(/intact but cannot be understood/);
    expect(report.unreadable).toEqual([{ session: 'alpha', seq: 3, reason }]);
  });
});

describe('a store with other pages than ours', () => {
  it.each([512, 1024, 8192, 65536])(
    'is salvaged with pages of %i bytes, with or without its header',
    async (size) => {
      await using folder = newFolder();
      const file = folder.file('store.db');
      await makeStore(file);
      using db = new DatabaseSync(file);
      db.exec(`pragma journal_mode = delete; pragma page_size = ${size}; vacuum`);
      expect(readFileSync(file).readUInt16BE(16)).toBe(size === 65536 ? 1 : size);
      const original = await contentsOf(file);
      const report = await salvageStore(file, folder.file('saved.db'));
      expect(await contentsOf(folder.file('saved.db'))).toEqual(original);
      expect(report).toMatchObject({ unreadable: [], bytesLost: 0 });
      damage(file, folder.file('headless.db'), [1], (page) =>
        page.fill(0x77, 0, Math.min(size, page.length)),
      );
      await salvageStore(folder.file('headless.db'), folder.file('saved-headless.db'));
      expect(await contentsOf(folder.file('saved-headless.db'))).toEqual(original);
    },
  );
});
