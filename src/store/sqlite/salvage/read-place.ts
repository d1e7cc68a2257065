import { type CellPlace, placeParts, type Source } from './open-source.ts';
import { parseCell } from './parse-cell.ts';
import { readPayload } from './read-payload.ts';
import { type BlobRow, type EntryRow, readBlobRow, readEntryRow, type ShapedRecord } from './read-rows.ts';
import { recogniseCell } from './recognise-cell.ts';
import type { Schema } from './table-shapes.ts';

/** The entry that was found there, checked again: another process may be writing to the file. */
export function readEntryAt(source: Source, schema: Schema, place: CellPlace): EntryRow | undefined {
  const record = readRecordAt(source, schema, place);
  return record?.shape.name === 'entries' ? readEntryRow(record) : undefined;
}

export function readBlobAt(source: Source, schema: Schema, place: CellPlace): BlobRow | undefined {
  const record = readRecordAt(source, schema, place);
  return record?.shape.name === 'blobs' ? readBlobRow(record) : undefined;
}

function readRecordAt(source: Source, { tables }: Schema, place: CellPlace): ShapedRecord | undefined {
  const { image, at } = placeParts(place);
  const page = source.read(image);
  const cell = parseCell(page, at, { kind: 'table-leaf', usable: source.usable });
  const row = cell && recogniseCell(page, cell, tables);
  const bytes = row && readPayload(source, page, row).bytes;
  return row && bytes && { bytes, columns: row.columns, shape: row.shape };
}
