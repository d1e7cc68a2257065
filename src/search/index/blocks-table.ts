import type { DatabaseSync } from 'node:sqlite';
import { joinBlocks, packBlock, type VectorBlock, type Vectored } from '../meaning/vector-block.ts';

/** As it is stored; a larger number is younger. */
export interface StoredBlock extends VectorBlock {
  readonly block: number;
}

/** A block of fewer vectors is small, and small ones are put together when there are this many of them. */
const SMALL = 1000;
const MOST_SMALL = 64;

const COLUMNS = 'block, docs, times, roles, lengths, vectors';

/** Vectors, as they were written: a block for each batch. */
export function createBlocksTable(db: DatabaseSync) {
  const insert = db.prepare(
    `insert into blocks (first, last, size, docs, times, roles, lengths, vectors)
     values (?, ?, ?, ?, ?, ?, ?, ?) returning block`,
  );
  const remove = db.prepare('delete from blocks where block = ?');
  const after = db.prepare(`select ${COLUMNS} from blocks where block > ? order by block limit ?`);
  const overlapping = db.prepare(
    `select ${COLUMNS} from blocks where last >= ? and first <= ? order by block limit ?`,
  );
  const small = db.prepare(`select ${COLUMNS} from blocks where size < ${SMALL} order by block`);
  const countSmall = db.prepare(`select count(*) as small from blocks where size < ${SMALL}`);
  const settle = db.prepare('update meanings set block = ? where doc = ?');

  function put(block: VectorBlock): number {
    const { docs, times, roles, lengths, vectors } = block;
    const columns = [docs, times, roles, lengths, vectors].map(bytesOf);
    return insert.get(docs[0]!, docs.at(-1)!, docs.length, ...columns)!.block as number;
  }

  /** In the place of others; what their messages point at is put right. */
  function replace(old: readonly StoredBlock[], next: VectorBlock): void {
    for (const { block } of old) remove.run(block);
    if (next.docs.length === 0) return;
    const block = put(next);
    for (const doc of new Set(next.docs)) settle.run(block, doc);
  }

  return {
    /** Messages in rising order, with or without vectors. Returns the block that those with vectors are in. */
    add(messages: readonly Vectored[], dimensions: number): number | undefined {
      const vectored = messages.filter(({ vectors }) => vectors.length > 0);
      return vectored.length === 0 ? undefined : put(packBlock(vectored, dimensions));
    },
    /** Puts small blocks together, now and then. `true` if it did: then the loaded rows are no longer there. */
    tidy(): boolean {
      if ((countSmall.get()!.small as number) < MOST_SMALL) return false;
      const old = small.all().map(toBlock);
      replace(old, joinBlocks(old));
      return true;
    },
    after: (block: number, limit: number) => after.all(block, limit).map(toBlock),
    overlapping: (from: number, to: number, limit: number) => overlapping.all(from, to, limit).map(toBlock),
    forget(from: number, to: number): void {
      for (const block of overlapping.all(from, to, -1).map(toBlock))
        replace(
          [block],
          joinBlocks([block], (doc) => doc < from || doc > to),
        );
    },
  };
}

export type BlocksTable = ReturnType<typeof createBlocksTable>;

function toBlock(row: Record<string, unknown>): StoredBlock {
  const { block, docs, times, roles, lengths, vectors } = row as Record<string, Uint8Array>;
  return {
    block: block as unknown as number,
    docs: new Float64Array(docs!.slice().buffer),
    times: new Float64Array(times!.slice().buffer),
    roles: roles!,
    lengths: new Float32Array(lengths!.slice().buffer),
    vectors: vectors!,
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array | Float32Array | Uint8Array): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
