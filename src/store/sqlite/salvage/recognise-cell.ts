import { type Column, readColumns } from './decode-record.ts';
import type { Cell, Payload } from './parse-cell.ts';
import type { TableName, TableShape } from './table-shapes.ts';

/** A cell that looks like a row of one of our tables. Whether its content is right is another question. */
export interface Recognised {
  readonly shape: TableShape;
  readonly columns: readonly Column[];
  readonly payload: Payload;
  readonly key: number;
  readonly seq: number;
}

const MOST_KEYS = 2 ** 31;

/** Looks at the record's header only, which always lies in the page. */
export function recogniseCell(
  page: Uint8Array,
  { rowid, payload }: Cell,
  tables: readonly TableShape[],
): Recognised | undefined {
  if (!rowid || !payload) return undefined;
  const columns = readColumns(page.subarray(payload.start, payload.start + payload.local), payload.length);
  const shape = columns && tables.find((table) => table.fits(columns));
  if (!columns || !shape) return undefined;
  const { key, seq } = splitRowid(shape.name, rowid);
  return key > 0 && key < MOST_KEYS ? { shape, columns, payload, key, seq } : undefined;
}

/** An entry is filed under its session's key and its seq, packed into one number; the others under a plain key. */
function splitRowid(table: TableName, { high, low }: { high: number; low: number }) {
  if (table === 'entries') return { key: low > 0 ? high : 0, seq: low };
  return { key: high === 0 ? low : 0, seq: 0 };
}
