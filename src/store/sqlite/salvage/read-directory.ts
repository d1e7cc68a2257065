import { isSessionId, type SessionId } from '../../../record/index.ts';
import {
  isInteger,
  isText,
  type Payload,
  parseCell,
  readColumns,
  readInteger,
  readPayload,
  readText,
  readUint32,
  recogniseCell,
} from './cells.ts';
import { type CellPlace, placeParts, type SalvageSource } from './open-source.ts';
import { parsePage, type TreePage } from './pages.ts';
import {
  type BlobRow,
  readBlobRow,
  readEntryRow,
  type SalvagedEntryRow,
  type ShapedRecord,
} from './read-rows.ts';
import type { Schema } from './table-shapes.ts';

/** What the trees, as far as they hold together, say about which sessions there are. */
export interface Directory {
  /** Session ids by key, from their index: the name of a session whose row is lost. */
  readonly names: ReadonlyMap<number, SessionId>;
  /** Every session row can be reached, so a session that has none was purged. */
  readonly complete: boolean;
}

const SESSION_IDS = 'sqlite_autoindex_sessions_1';

export function readDirectory(source: SalvageSource, schema: Schema): Directory {
  const roots = readRoots(source) ?? schema.roots;
  const names = new Map<number, SessionId>();
  for (const [id, key] of pairs(source, roots.get(SESSION_IDS))) if (isSessionId(id)) names.set(key, id);
  let rows = 0;
  let strange = 0;
  const whole = walkTree(source, roots.get('sessions') ?? 0, ({ kind, cells }, bytes) => {
    for (const cell of kind === 'table-leaf' ? cells : []) {
      if (recogniseCell(bytes, cell, schema.tables)?.shape.name === 'sessions') rows++;
      else strange++;
    }
  });
  return { names, complete: whole && strange === 0 && rows >= names.size };
}

/** The root pages as the file itself lists them, on its first page. */
function readRoots(source: SalvageSource): Map<string, number> | undefined {
  const roots = new Map<string, number>();
  const whole = walkTree(source, 1, ({ cells }, bytes) => {
    for (const { payload } of cells) {
      if (!payload) continue;
      const record = bytes.subarray(payload.start, payload.start + payload.local);
      const columns = readColumns(record, payload.length);
      if (columns?.length !== 5 || !isText(columns[1]!) || !isInteger(columns[3]!)) continue;
      roots.set(readText(record, columns[1]!), readInteger(record, columns[3]!));
    }
  });
  return whole && roots.has('sessions') ? roots : undefined;
}

function pairs(source: SalvageSource, root: number | undefined): [string, number][] {
  const found: [string, number][] = [];
  walkTree(source, root ?? 0, ({ kind, cells, whole }, bytes) => {
    if (!whole || (kind !== 'index-leaf' && kind !== 'index-interior')) return;
    for (const { payload } of cells) {
      if (!payload || payload.local < payload.length) continue;
      const record = bytes.subarray(payload.start, payload.start + payload.length);
      const columns = readColumns(record, payload.length);
      if (columns?.length !== 2 || !isText(columns[0]!) || !isInteger(columns[1]!)) continue;
      found.push([readText(record, columns[0]!), readInteger(record, columns[1]!)]);
    }
  });
  return found;
}

/**
 * Visits the pages of one b-tree from its root down. False when part of the tree cannot be reached; what can be has been
 * visited all the same.
 */
function walkTree(
  source: Pick<SalvageSource, 'latest' | 'images' | 'usable'>,
  root: number,
  visit: (page: TreePage, bytes: Uint8Array) => void,
): boolean {
  const seen = new Set<number>();
  const waiting = [root];
  let whole = true;
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    const bytes = seen.has(number) ? undefined : source.latest(number);
    const page = bytes && parsePage(bytes, { usable: source.usable, first: number === 1 });
    seen.add(number);
    if (!page?.whole || !source.images(number)[0]?.sound) whole = false;
    if (!page || !bytes) continue;
    visit(page, bytes);
    for (const { child } of page.cells) if (child !== undefined) waiting.push(child);
    if (page.right !== undefined) waiting.push(page.right);
  }
  return whole;
}

/** The serial type of 16 bytes. No other index of ours begins with a value of that size. */
const ENTRY_ID = 44;

/** The session key and the seq in a cell of the index of entry ids; `undefined` for cells of other indexes. */
export function readIndexedPosition(
  page: Uint8Array,
  { start, local, length }: Payload,
): { key: number; seq: number } | undefined {
  const record = page.subarray(start, start + local);
  const columns = local === length ? readColumns(record, length) : undefined;
  const [id, session, position] = columns ?? [];
  if (columns?.length !== 3 || id?.type !== ENTRY_ID || !isInteger(session!) || !isInteger(position!)) {
    return undefined;
  }
  const key = readInteger(record, session!);
  // The lower half of the position; as a whole it may be more than a number can hold.
  const seq = position!.size < 4 ? 0 : readUint32(record, position!.start + position!.size - 4);
  return key > 0 && seq > 0 ? { key, seq } : undefined;
}

/** The entry that was found there, checked again: another process may be writing to the file. */
export function readEntryAt(
  source: SalvageSource,
  schema: Schema,
  place: CellPlace,
): SalvagedEntryRow | undefined {
  const record = readRecordAt(source, schema, place);
  return record?.shape.name === 'entries' ? readEntryRow(record) : undefined;
}

export function readBlobAt(source: SalvageSource, schema: Schema, place: CellPlace): BlobRow | undefined {
  const record = readRecordAt(source, schema, place);
  return record?.shape.name === 'blobs' ? readBlobRow(record) : undefined;
}

function readRecordAt(source: SalvageSource, { tables }: Schema, place: CellPlace): ShapedRecord | undefined {
  const { image, at } = placeParts(place);
  const page = source.read(image);
  const cell = parseCell(page, at, { kind: 'table-leaf', usable: source.usable });
  const row = cell && recogniseCell(page, cell, tables);
  const bytes = row && readPayload(source, page, row).bytes;
  return row && bytes && { bytes, columns: row.columns, shape: row.shape };
}
