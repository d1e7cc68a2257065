import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SalvageReport, salvageStore } from '../../../src/store/sqlite/index.ts';
import {
  blobsOf,
  contentsOf,
  damage,
  makeStore,
  newFolder,
  PAGE,
  pagesWith,
  problemsOf,
  rowsOf,
  type StoredRow,
  treePages,
} from './salvage-fixture.ts';

const folder = newFolder();
const file = folder.file('store.db');
let bytes: Buffer;
let original: Map<string, StoredRow>;
/** For every entry, the pages (from 0) that a piece of its text is in. */
let pagesOfEntry: Map<string, Set<number>>;
/** The pages that tell which sessions there are. */
let sessionPages: Set<number>;

beforeAll(async () => {
  await makeStore(file);
  bytes = readFileSync(file);
  original = rowsOf(file);
  pagesOfEntry = new Map([...original].map(([id, { body }]) => [id, pagesWith(bytes, body)]));
  const trees = treePages(file, 'sessions', 'sqlite_autoindex_sessions_1', 'sqlite_schema');
  sessionPages = new Set(trees.map((page) => page - 1));
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Small, seeded, the same everywhere. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed * 2654435761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const KINDS = [
  'a page of garbage',
  'a page of zeros',
  'scattered bytes',
  'a torn page',
  'swapped pages',
] as const;

/** Damages a copy and returns the pages (from 0) that are no longer what they were. */
function damageAtRandom(copy: string, seed: number): Set<number> {
  const random = randomNumbers(seed);
  const damaged = Buffer.from(bytes);
  const count = bytes.length / PAGE;
  const pageAt = (page: number) => damaged.subarray(page * PAGE, (page + 1) * PAGE);
  switch (KINDS[seed % KINDS.length]!) {
    case 'a page of garbage':
      pageAt(random(count)).set(Array.from({ length: PAGE }, () => random(256)));
      break;
    case 'a page of zeros':
      for (let times = 0; times < 3; times++) pageAt(random(count)).fill(0);
      break;
    case 'scattered bytes':
      for (let times = 0; times < 40; times++) damaged.writeUInt8(random(256), random(bytes.length));
      break;
    case 'a torn page': {
      const at = random(count) * PAGE + 512 * random(8);
      damaged.fill(random(256), at, Math.min(bytes.length, at + 512));
      break;
    }
    case 'swapped pages': {
      const [from, to] = [random(count), random(count)];
      damaged.copy(damaged, to * PAGE, from * PAGE, (from + 1) * PAGE);
      break;
    }
  }
  writeFileSync(copy, damaged);
  const touched = new Set<number>();
  for (let page = 0; page < count; page++) {
    if (Buffer.compare(pageAt(page), bytes.subarray(page * PAGE, (page + 1) * PAGE)) !== 0) touched.add(page);
  }
  return touched;
}

function isNamed({ unreadable }: SalvageReport, { session, seq }: StoredRow): boolean {
  return unreadable.some(
    (loss) => loss.session === session && loss.seq! <= seq && seq <= (loss.upTo ?? loss.seq!),
  );
}

describe('a damaged store', () => {
  it.each(Array.from({ length: 40 }, (_, seed) => ({ seed, kind: KINDS[seed % KINDS.length] })))(
    'gives back every entry that the damage did not touch: $kind, seed $seed',
    async ({ seed }) => {
      const [copy, saved] = [folder.file(`damaged-${seed}.db`), folder.file(`saved-${seed}.db`)];
      const touched = damageAtRandom(copy, seed);
      const report = await salvageStore(copy, saved);
      const rows = rowsOf(saved);
      const lineageIsKnown = sessionPages.isDisjointFrom(touched);

      // A damaged id goes unnoticed, because the checksum covers the text alone: such an entry is found by its text.
      const texts = new Set([...rows.values()].map(({ body }) => body));

      for (const [id, row] of original) {
        const { body, at, tokens } = row;
        const untouched = pagesOfEntry.get(id)!.isDisjointFrom(touched);
        if (untouched) expect(rows.get(id)).toMatchObject(lineageIsKnown ? row : { body, at, tokens });
        else if (!texts.has(body) && lineageIsKnown)
          expect({ row, named: isNamed(report, row) }).toMatchObject({ named: true });
        else if (!texts.has(body)) expect(report.unreadable).not.toEqual([]);
      }
      const bodies = new Set([...original.values()].map(({ body }) => body));
      for (const { body } of rows.values()) {
        if (!bodies.has(body)) expect(JSON.parse(body).kind).toMatch(/^(lost|document)$/);
      }
      expect(await problemsOf(saved)).toEqual([]);
      if (rows.size < original.size || blobsOf(saved).size < 3) expect(report.bytesLost).toBeGreaterThan(0);
    },
  );

  it('reports the one entry whose overflow page is damaged, and has all others', async () => {
    const [[id, row]] = [...original].filter(([, { session }]) => session === 'long_30000') as [
      [string, StoredRow],
    ];
    const pages = [...pagesOfEntry.get(id)!].sort((a, b) => a - b);
    damage(file, folder.file('overflow.db'), [pages[4]! + 1], (page) => page.fill(0x20, 100, 200));
    const report = await salvageStore(folder.file('overflow.db'), folder.file('overflow-saved.db'));
    const reason = 'its text does not match its checksum';
    expect(report.unreadable).toEqual([{ session: 'long_30000', seq: row.seq, reason }]);
    expect(report.bytesLost).toBeGreaterThan(28_000);
    const before = await contentsOf(file);
    const { entries } = await contentsOf(folder.file('overflow-saved.db'));
    expect(entries.long_30000).toMatchObject([
      { seq: 1, body: { kind: 'unknown', was: 'lost', value: { kind: 'lost', seq: 1, reason } } },
    ]);
    expect({ ...entries, long_30000: [] }).toEqual({ ...before.entries, long_30000: [] });
    expect(await problemsOf(folder.file('overflow-saved.db'))).toEqual([]);
  });

  it('reports an entry whose chain of pages is broken', async () => {
    const [[id]] = [...original].filter(([, { session }]) => session === 'long_31000') as [
      [string, StoredRow],
    ];
    const pages = [...pagesOfEntry.get(id)!].sort((a, b) => a - b);
    damage(file, folder.file('chain.db'), [pages[3]! + 1], (page) => page.fill(0xff, 0, 4));
    const report = await salvageStore(folder.file('chain.db'), folder.file('chain-saved.db'));
    const reason = 'a part of its text is missing';
    expect(report.unreadable).toContainEqual({ session: 'long_31000', seq: 1, reason });
  });

  it('names a blob that is lost, and keeps the entry that refers to it as it was', async () => {
    const text = JSON.parse([...original.values()].find(({ body }) => body.includes('$blob'))!.body);
    const hash: string = text.parts[0].text.$blob;
    const at = bytes.indexOf(Buffer.from('blob.1ab '));
    damage(file, folder.file('blob.db'), [Math.floor(at / PAGE) + 1], (page) => page.fill(0, 50, 60));
    const report = await salvageStore(folder.file('blob.db'), folder.file('blob-saved.db'));
    expect(report.blobs).toBe(2);
    expect(report.unreadable.map(({ session, reason }) => `${session ?? ''} ${reason}`)).toEqual([
      expect.stringContaining(hash),
      expect.stringMatching(new RegExp(`^heavy .*${hash}`)),
    ]);
    expect(await contentsOf(folder.file('blob-saved.db'))).toEqual(await contentsOf(file));
  });

  it('keeps a blob whose entry is lost where it can be found', async () => {
    const heavy = [...original].filter(([, { body }]) => body.includes('$blob'));
    const pages = new Set(heavy.flatMap(([id]) => [...pagesOfEntry.get(id)!]));
    damage(
      file,
      folder.file('unclaimed.db'),
      [...pages].map((page) => page + 1),
      (page) => page.fill(0),
    );
    const report = await salvageStore(folder.file('unclaimed.db'), folder.file('unclaimed-saved.db'));
    expect(report.blobs).toBe(3);
    const { entries } = await contentsOf(folder.file('unclaimed-saved.db'));
    expect(entries.salvaged_blobs!.map(({ body }) => body.kind)).toEqual([
      'document',
      'document',
      'document',
    ]);
  });

  it('finds the rows of a page whose header and pointers are gone', async () => {
    const leaves = treePages(file, 'entries').filter((page) => bytes[(page - 1) * PAGE] === 0x0d);
    expect(leaves.length).toBeGreaterThan(20);
    damage(file, folder.file('headless.db'), leaves, (page) => page.fill(0xee, 0, 24));
    const report = await salvageStore(folder.file('headless.db'), folder.file('headless-saved.db'));
    expect(report.entries).toBe(original.size);
    expect(await contentsOf(folder.file('headless-saved.db'))).toEqual(await contentsOf(file));
  });

  it('keeps forks on their fork point when the parent lost its end', async () => {
    const lost = [...original].filter(([, { session, seq }]) => session === 'alpha' && seq > 30);
    const pages = new Set(lost.flatMap(([id]) => [...pagesOfEntry.get(id)!].map((page) => page + 1)));
    damage(file, folder.file('endless.db'), pages, (page) => page.fill(0));
    const report = await salvageStore(folder.file('endless.db'), folder.file('endless-saved.db'));
    const { entries, sessions } = await contentsOf(folder.file('endless-saved.db'));
    const before = await contentsOf(file);
    expect(entries.beta!.map(({ seq }) => seq)).toEqual(before.entries.beta!.map(({ seq }) => seq));
    expect(sessions.beta!.parent).toEqual({ session: 'alpha', relation: 'fork', seq: 40 });
    expect(sessions.alpha!.head).toBe(before.sessions.alpha!.head);
    expect(report.unreadable).toContainEqual(
      expect.objectContaining({ session: 'alpha', upTo: sessions.alpha!.head }),
    );
    expect(await problemsOf(folder.file('endless-saved.db'))).toEqual([]);
  });
});
