import type { Role } from '../../record/index.ts';
import type { DocRanges } from '../index/doc-ranges.ts';
import type { DocRow } from '../index/tables.ts';

/** Which messages a search may return, worked out from its filters. */
export interface Scope {
  /** Absent: all of them. */
  readonly ranges: DocRanges | undefined;
  /** Sessions that are left out, by key. */
  readonly without: ReadonlySet<number>;
  /** Only these messages, such as those that touch a file. */
  readonly docs: ReadonlySet<number> | undefined;
  readonly roles: readonly Role[] | undefined;
  readonly since: number;
  readonly until: number;
  readonly keyOf: (doc: number) => number;
}

export function holdsDoc({ ranges, without, docs, keyOf }: Scope, doc: number): boolean {
  if (ranges && !ranges.has(doc)) return false;
  if (docs && !docs.has(doc)) return false;
  return without.size === 0 || !without.has(keyOf(doc));
}

export function holdsRow({ roles, since, until }: Scope, { role, at }: Pick<DocRow, 'role' | 'at'>): boolean {
  return at >= since && at <= until && (!roles || roles.includes(role));
}

/** Whether there is any message that it does not hold. */
export function isFiltered(scope: Scope): boolean {
  const { ranges, docs, without } = scope;
  return ranges !== undefined || docs !== undefined || without.size > 0 || asksRows(scope);
}

/** Whether it takes a message's row to tell. */
export function asksRows({ roles, since, until }: Scope): boolean {
  return roles !== undefined || since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
}
