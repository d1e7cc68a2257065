import { createHash } from 'node:crypto';
import {
  type EntryId,
  entryIdFromBytes,
  isSessionId,
  type Parent,
  type SessionId,
} from '../../../record/index.ts';
import { entryCrc } from '../../entry-format.ts';
import { type Column, isNull, readBytes, readInteger, readText } from './cells.ts';
import type { TableShape } from './table-shapes.ts';

export interface SalvagedEntryRow {
  readonly id: EntryId;
  readonly at: number;
  readonly tokens: number;
  readonly version: number;
  readonly crc: number;
  readonly json: string;
}

/** How a session was born. Everything else in its row follows from its log. */
export interface SessionBirth {
  readonly id: SessionId;
  readonly parent?: Parent;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly head: number;
}

/** The id of a purged session, and when it was purged. */
interface Tombstone {
  readonly id: SessionId;
  readonly at: number;
}

export interface BlobRow {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A record with a shape that it fits. */
export interface ShapedRecord {
  readonly bytes: Uint8Array;
  readonly columns: readonly Column[];
  readonly shape: TableShape;
}

const LAST_DATE = 8.64e15;

/** The entry, if its id, time and body are unchanged byte for byte. */
export function readEntryRow(record: ShapedRecord): SalvagedEntryRow | undefined {
  const { column, integer } = accessors(record);
  const body = readBytes(record.bytes, column('body'));
  const id = readBytes(record.bytes, column('id'));
  const crc = integer('crc');
  const version = integer('version');
  const at = integer('at');
  if (id.length !== 16 || !(version > 0)) return undefined;
  const entry = entryIdFromBytes(id);
  if (entryCrc({ id: entry, at, json: body }) !== crc) return undefined;
  return {
    id: entry,
    at,
    tokens: Math.max(0, integer('tokens')) || 0,
    version,
    crc,
    json: readText(record.bytes, column('body')),
  };
}

export function readSessionRow(record: ShapedRecord): SessionBirth | undefined {
  const { column, integer, text } = accessors(record);
  const id = text('id');
  const [createdAt, updatedAt, head] = [integer('created_at'), integer('updated_at'), integer('head')];
  const times = createdAt >= 0 && createdAt <= LAST_DATE && updatedAt >= 0;
  if (!isSessionId(id) || !times || !(head >= 0)) return undefined;
  const birth = { id, createdAt, updatedAt, head };
  if (isNull(column('parent')) || isNull(column('relation')) || isNull(column('parent_seq'))) return birth;
  const parent = { session: text('parent'), relation: text('relation'), seq: integer('parent_seq') };
  const related = parent.relation === 'fork' || parent.relation === 'resume';
  return isSessionId(parent.session) && related && parent.seq >= 0
    ? { ...birth, parent: parent as Parent }
    : birth;
}

export function readTombstone(record: ShapedRecord): Tombstone | undefined {
  const { integer, text } = accessors(record);
  const [id, at] = [text('id'), integer('at')];
  return isSessionId(id) && at >= 0 && at <= LAST_DATE ? { id, at } : undefined;
}

/** The blob, if its bytes are the ones that its hash was made from. */
export function readBlobRow(record: ShapedRecord): BlobRow | undefined {
  const { column } = accessors(record);
  const bytes = readBytes(record.bytes, column('bytes'));
  const hash = Buffer.from(readBytes(record.bytes, column('hash'))).toString('hex');
  return createHash('sha256').update(bytes).digest('hex') === hash ? { hash, bytes } : undefined;
}

function accessors({ bytes, columns, shape }: ShapedRecord) {
  const column = (name: string) => columns[shape.columns.get(name)!]!;
  return {
    column,
    integer: (name: string) => readInteger(bytes, column(name)),
    text: (name: string) => readText(bytes, column(name)),
  };
}
