import { type Cell, parseCell } from './parse-cell.ts';

/** The least and most bytes that can stand before a record in its cell: its length and its row number. */
const LEAST_BEFORE = 2;
const MOST_BEFORE = 18;

/**
 * Everything in a page that could be the cell of a row of ours, without a pointer to it. The records of all our tables
 * begin alike: the length of the header in one byte, then a zero, because the first column is the row's own number.
 */
export function* findCells(bytes: Uint8Array, usable: number): Generator<Cell> {
  for (let record = LEAST_BEFORE; record + 1 < usable; record++) {
    if (bytes[record + 1] !== 0 || bytes[record]! < 2 || bytes[record]! > 127) continue;
    for (let at = record - LEAST_BEFORE; at >= Math.max(0, record - MOST_BEFORE); at--) {
      const cell = parseCell(bytes, at, { kind: 'table-leaf', usable });
      if (cell?.payload?.start === record) yield cell;
    }
  }
}
