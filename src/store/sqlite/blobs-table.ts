import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import type { Blob } from '../set-aside.ts';
import { lazyStatement } from './writer.ts';

export function blobsTable(db: DatabaseSync) {
  const insert = lazyStatement(
    db,
    'insert into blobs (hash, bytes) values (?, ?) on conflict (hash) do nothing',
  );
  const use = lazyStatement(db, 'insert into blob_uses (session, hash) values (?, ?) on conflict do nothing');
  const byHash = lazyStatement(db, 'select bytes from blobs where hash = ?');
  const afterKey = lazyStatement(db, 'select key, hash, bytes from blobs where key > ? order by key limit 1');
  const used = lazyStatement(db, 'select hash from blob_uses where session = ?');
  const unuse = lazyStatement(db, 'delete from blob_uses where session = ?');
  const unuseOne = lazyStatement(db, 'delete from blob_uses where session = ? and hash = ?');
  const removeUnused = lazyStatement(
    db,
    `delete from blobs where hash = ? and not exists (select 1 from blob_uses where blob_uses.hash = blobs.hash)
     returning length(bytes) as size`,
  );

  return {
    /** Keeps the blob once, however many entries refer to it, and remembers that this session does. */
    put(session: number, { hash, bytes }: Blob): void {
      const key = Buffer.from(hash, 'hex');
      insert.run(key, bytes);
      use.run(session, key);
    },
    use: (session: number, hash: string) => use.run(session, Buffer.from(hash, 'hex')),
    uses: (session: number) =>
      used.all(session).map((row) => Buffer.from(row.hash as Uint8Array).toString('hex')),
    bytes: (hash: string) => byHash.get(Buffer.from(hash, 'hex'))?.bytes as Uint8Array | undefined,
    /** The first blob after `key`, for a sweep that holds one at a time. */
    next(after: number): { key: number; hash: string; bytes: Uint8Array } | undefined {
      const row = afterKey.get(after);
      return (
        row && {
          key: row.key as number,
          hash: Buffer.from(row.hash as Uint8Array).toString('hex'),
          bytes: row.bytes as Uint8Array,
        }
      );
    },
    /** Forgets the uses that a session has no more, and deletes blobs without other uses. Returns their sizes. */
    keep(session: number, hashes: ReadonlySet<string>): number[] {
      const gone = used
        .all(session)
        .map((row) => row.hash as Uint8Array)
        .filter((hash) => !hashes.has(Buffer.from(hash).toString('hex')));
      return gone.flatMap((hash) => {
        unuseOne.run(session, hash);
        return removeUnused.all(hash).map((row) => row.size as number);
      });
    },
    /** Forgets a session's uses and deletes blobs without other uses. Returns their sizes. */
    release(session: number): number[] {
      const hashes = used.all(session).map((row) => row.hash as Uint8Array);
      unuse.run(session);
      return hashes.flatMap((hash) => removeUnused.all(hash).map((row) => row.size as number));
    },
  };
}

export type BlobsTable = ReturnType<typeof blobsTable>;

export function sqliteHashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
