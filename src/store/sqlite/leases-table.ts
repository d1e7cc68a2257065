import type { DatabaseSync } from 'node:sqlite';
import type { Lease, LeaseOwner } from '../store.ts';
import { lazyStatement } from './lazy-statement.ts';

export function leasesTable(db: DatabaseSync) {
  const bySession = lazyStatement(db, 'select token, owner, expires_at from leases where session = ?');
  const put = lazyStatement(
    db,
    `insert into leases (session, token, owner, expires_at) values (?1, ?2, ?3, ?4)
     on conflict (session) do update set token = ?2, owner = ?3, expires_at = ?4`,
  );
  const remove = lazyStatement(db, 'delete from leases where session = ? and token = ?');
  const removeAny = lazyStatement(db, 'delete from leases where session = ?');

  return {
    bySession(session: number): Lease | undefined {
      const row = bySession.get(session);
      return (
        row && {
          token: row.token as string,
          owner: JSON.parse(row.owner as string) as LeaseOwner,
          expiresAt: row.expires_at as number,
        }
      );
    },
    put: (session: number, { token, owner, expiresAt }: Lease) =>
      put.run(session, token, JSON.stringify(owner), expiresAt),
    remove: (session: number, token: string) => remove.run(session, token),
    removeAny: (session: number) => removeAny.run(session),
  };
}

export type LeasesTable = ReturnType<typeof leasesTable>;
