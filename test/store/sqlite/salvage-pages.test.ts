import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findCells,
  readColumns,
  readInteger,
  readPayload,
  readText,
  readVarint,
  recogniseCell,
} from '../../../src/store/sqlite/salvage/cells.ts';
import { choosePageSize, parsePage } from '../../../src/store/sqlite/salvage/pages.ts';
import { readWal } from '../../../src/store/sqlite/salvage/read-wal.ts';
import { readSchema } from '../../../src/store/sqlite/salvage/table-shapes.ts';
import { makeStore, newFolder, PAGE } from './salvage-fixture.ts';

const folder = newFolder();
const { tables } = readSchema();
let pages: Buffer[];

beforeAll(async () => {
  await makeStore(folder.file('store.db'));
  const bytes = readFileSync(folder.file('store.db'));
  pages = Array.from({ length: bytes.length / PAGE }, (_, at) => bytes.subarray(at * PAGE, (at + 1) * PAGE));
});
afterAll(() => folder[Symbol.asyncDispose]());

/** Everything that can be asked of the bytes of one page. */
function readAll(page: Uint8Array, usable: number): unknown[] {
  const seen: unknown[] = [];
  for (const first of [true, false]) {
    const tree = parsePage(page, { usable, first });
    seen.push(tree);
    for (const cell of [...(tree?.cells ?? []), ...findCells(page, usable)]) {
      const row = recogniseCell(page, cell, tables);
      seen.push(cell, row?.columns);
      if (!cell.payload) continue;
      const { start, local, length } = cell.payload;
      expect(start + local).toBeLessThanOrEqual(usable);
      const record = page.subarray(start, start + local);
      for (const column of readColumns(record, length) ?? []) {
        seen.push(readInteger(record, column), readText(record, column));
      }
    }
  }
  return seen;
}

/** The same page between two different neighbours: what is read must not depend on them. */
function readsOnlyThePage(page: Uint8Array, usable: number): void {
  const [zeros, ones] = [0x00, 0xff].map((fill) => {
    const memory = new Uint8Array(page.length + 2000).fill(fill);
    memory.set(page, 1000);
    return readAll(memory.subarray(1000, 1000 + page.length), usable);
  });
  expect(zeros).toEqual(ones);
}

const sizes = fc.constantFrom(512, 1024, 4096);
/** Random bytes that begin like a page, so that more than the first byte is looked at. */
const pageLike = sizes.chain((size) =>
  fc
    .tuple(fc.uint8Array({ minLength: size, maxLength: size }), fc.constantFrom(2, 5, 10, 13, 0), fc.nat(40))
    .map(([bytes, kind, count]) => {
      bytes.set([kind, 0, 0, 0, count], 0);
      return bytes;
    }),
);
const edits = fc.array(fc.tuple(fc.nat(PAGE - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });

describe('reading the pages of a damaged file', () => {
  it('never throws, never hangs and never looks outside a page of random bytes', () => {
    fc.assert(
      fc.property(pageLike, fc.nat(32), (page, reserved) => readsOnlyThePage(page, page.length - reserved)),
      { numRuns: 300 },
    );
  });

  it('never throws, never hangs and never looks outside a real page with a few wrong bytes', () => {
    fc.assert(
      fc.property(fc.nat(), edits, (which, changes) => {
        const page = Uint8Array.from(pages[which % pages.length]!);
        for (const [at, byte] of changes) page[at] = byte;
        readsOnlyThePage(page, PAGE);
      }),
      { numRuns: 300 },
    );
  });

  it('knows a whole page, and that nothing is whole any more when a pointer or the header is wrong', () => {
    const trees = pages.flatMap((page, at) => parsePage(page, { usable: PAGE, first: at === 0 }) ?? []);
    expect(trees.length).toBeGreaterThan(50);
    expect(trees.filter(({ whole }) => !whole)).toEqual([]);
    for (const page of pages.filter((bytes) => bytes[0] === 0x0d && bytes[4]! > 0)) {
      for (const at of [4, 6, 9]) {
        const damaged = Uint8Array.from(page);
        damaged[at]! ^= 0x55;
        expect(parsePage(damaged, { usable: PAGE, first: false })?.whole ?? false).toBe(false);
      }
    }
  });

  it('reads variable-length integers as SQLite writes them', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }), (value) => {
        const bytes = encodeVarint(value);
        const { high, low, next } = readVarint(bytes, 0, bytes.length)!;
        expect((BigInt(high) << 32n) | BigInt(low)).toBe(value);
        expect(next).toBe(bytes.length);
        expect(readVarint(bytes, 0, bytes.length - 1)).toBeUndefined();
      }),
    );
  });

  it('reads numbers of every size as SQLite writes them', () => {
    const numbers = [
      0,
      1,
      -1,
      127,
      -128,
      128,
      32767,
      -32768,
      2 ** 23,
      -(2 ** 31),
      2 ** 31,
      2 ** 47,
      -(2 ** 47),
      2 ** 53 - 1,
    ];
    using db = new DatabaseSync(folder.file('numbers.db'));
    db.exec('create table numbers (n integer)');
    for (const number of numbers) db.prepare('insert into numbers values (?)').run(number);
    const page = readFileSync(folder.file('numbers.db')).subarray(PAGE, 2 * PAGE);
    const read = parsePage(page, { usable: PAGE, first: false })!.cells.map(({ payload }) => {
      const record = page.subarray(payload!.start, payload!.start + payload!.length);
      return readInteger(record, readColumns(record, payload!.length)![0]!);
    });
    expect(read).toEqual(numbers);
  });

  it('ends at a chain of pages that runs in a circle, breaks off or leads out of the file', () => {
    const next = (page: number) => Uint8Array.from({ length: 512 }, (_, at) => (at === 3 ? page : 0));
    const chain = [next(0), next(3), next(4), next(2), next(99), next(0)];
    const source = { usable: 512, pageCount: chain.length, latest: (page: number) => chain[page - 1] };
    const read = (overflow: number, length = 100_000) =>
      readPayload({ ...source, pageCount: 1000 }, new Uint8Array(512), {
        payload: { start: 0, local: 40, length, overflow },
      });
    expect(read(2)).toEqual({ pages: [2, 3, 4] });
    expect(read(5)).toEqual({ pages: [5] });
    expect(read(6)).toEqual({ pages: [6] });
    expect(read(0)).toEqual({ pages: [] });
    expect(read(6, 140).bytes).toHaveLength(140);
    expect(read(2, 2 ** 50)).toEqual({ pages: [] });
  });

  it('never throws and never finds a commit in a log of random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 8000 }), (log) => {
        const read = (start: number, length: number) => log.subarray(start, start + length);
        const { frames } = readWal(read, { size: log.length, pageSize: 512 });
        expect(frames).toEqual([]);
      }),
    );
  });

  it('chooses a page size for any file', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), (bytes) => {
        expect(choosePageSize(bytes)).toEqual({ pageSize: 4096, usable: 4096 });
      }),
    );
  });
});

function encodeVarint(value: bigint): Uint8Array {
  if (value >= 2n ** 56n) {
    const high = Array.from({ length: 8 }, (_, at) =>
      Number(((value >> BigInt(8 + 7 * (7 - at))) & 0x7fn) | 0x80n),
    );
    return Uint8Array.from([...high, Number(value & 0xffn)]);
  }
  const bytes = [Number(value & 0x7fn)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number((rest & 0x7fn) | 0x80n));
  return Uint8Array.from(bytes);
}
