import { createHash } from 'node:crypto';
import { ThroughlineError } from '../errors.ts';
import { type BlobRef, isBlobRef } from '../record/index.ts';
import { countText, imageSize } from '../tokens/index.ts';

// Entries stay small, so that opening and listing never read a megabyte they do not need: a value over the limit is
// kept once under its SHA-256 and the entry holds a reference with a preview. Every value comes back exactly as it was,
// and what JSON cannot hold is refused here instead of being lost.

/** A part larger than this does not stay in the entry whole. */
export const INLINE_LIMIT = 32 * 1024;
const PREVIEW_LENGTH = 200;
const MAX_DEPTH = 1000;

export interface Blob {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

interface SetAsideOptions {
  /** `Infinity` where a reader needs the value in place; bytes and foreign `$blob` keys still become references. */
  readonly limit?: number;
  /** The field that says what the object is: it stays in sight even when the rest of the object is set aside. */
  readonly label?: string;
}

/** Replaces large values by references and collects the blobs. Returns the same value if nothing had to change. */
export function setAside(
  value: unknown,
  blobs: Blob[],
  { limit = INLINE_LIMIT, label }: SetAsideOptions = {},
): unknown {
  const walk: Walk = { size: 0, refs: 0, depth: 0, limit, blobs };
  const small = visit(value, walk);
  if (typeof small !== 'object' || small === null || Array.isArray(small)) return small;
  if (isBlobRef(small))
    return label ? { [label]: (value as Record<string, unknown>)[label], ...small } : small;
  if (walk.size <= limit) return small;
  return shrinkFields(small as Record<string, unknown>, { size: walk.size, label, blobs });
}

interface Walk {
  /** Roughly how long the JSON text will be. */
  size: number;
  refs: number;
  depth: number;
  readonly limit: number;
  /** Absent where nothing can be set aside: inside a value that will itself be a blob of JSON. */
  readonly blobs?: Blob[];
}

function visit(value: unknown, walk: Walk): unknown {
  switch (typeof value) {
    case 'string':
      if (!walk.blobs || value.length <= walk.limit) return measured(value, value.length + 2, walk);
      return put(stringRef(value, walk.blobs), walk);
    case 'number':
      if (!Number.isFinite(value)) throw notJson(String(value));
      return measured(value, 8, walk);
    case 'object':
      return value === null ? measured(value, 4, walk) : visitObject(value, walk);
    case 'boolean':
    case 'undefined':
      return measured(value, 5, walk);
    default:
      throw notJson(`a ${typeof value}`);
  }
}

function visitObject(value: object, walk: Walk): unknown {
  if (walk.blobs) {
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
    if (bytes instanceof Uint8Array) return put(bytesRef(bytes, 'bytes', walk.blobs), walk);
    if (isBlobRef(value)) return put(foreignRef(value, walk.blobs), walk);
  }
  if (++walk.depth > MAX_DEPTH) throw notJson('something circular or nested too deeply');
  const result = Array.isArray(value) ? visitList(value, walk) : visitFields(value, walk);
  walk.depth--;
  return result;
}

function visitList(list: unknown[], walk: Walk): unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i++) {
    const next = visit(list[i], walk) ?? null;
    if (next !== list[i]) {
      copy ??= list.slice();
      copy[i] = next;
    }
  }
  return copy ?? list;
}

function visitFields(value: object, walk: Walk): unknown {
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    if (ArrayBuffer.isView(value) || !('toJSON' in value) || typeof value.toJSON !== 'function') {
      throw notJson(`a ${value.constructor?.name}`);
    }
    return visit(value.toJSON(), walk);
  }
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of Object.keys(fields)) {
    const field = fields[key];
    const next = visit(field, walk);
    walk.size += key.length + 4;
    if (next !== field) {
      copy ??= { ...fields };
      copy[key] = next;
    }
  }
  return copy ?? fields;
}

/** Many small values that are large together: the largest fields go, until the rest fits. The envelope stays readable. */
function shrinkFields(
  fields: Record<string, unknown>,
  { size, label, blobs }: { size: number; label: string | undefined; blobs: Blob[] },
): Record<string, unknown> {
  const sizes = Object.entries(fields).map(([key, value]) => {
    const walk: Walk = { size: 0, refs: 0, depth: 0, limit: INLINE_LIMIT, blobs: [] };
    if (!isBlobRef(value)) visit(value, walk);
    return { key, size: walk.size, movable: walk.refs === 0 };
  });
  const copy = { ...fields };
  let left = size;
  for (const field of sizes.sort((a, b) => b.size - a.size)) {
    if (left <= INLINE_LIMIT || field.size < 1024) break;
    if (!field.movable || field.key === label || isBlobRef(copy[field.key])) continue;
    copy[field.key] = jsonRef(copy[field.key], blobs);
    left -= field.size;
  }
  return copy;
}

/** An object of another program with a `$blob` key: kept whole under a reference of ours, so that the key still decides. */
function foreignRef(value: object, blobs: Blob[]): BlobRef {
  return jsonRef(visitFields(value, { size: 0, refs: 0, depth: 1, limit: Number.POSITIVE_INFINITY }), blobs);
}

function stringRef(text: string, blobs: Blob[]): BlobRef {
  const decoded = decodeBase64(text);
  if (decoded) {
    const ref = bytesRef(decoded, 'base64', blobs);
    return ref.width ? ref : { ...ref, preview: preview(text), tokens: countText(text) };
  }
  if (!text.isWellFormed())
    return { ...jsonRef(text, blobs), preview: preview(text), tokens: countText(text) };
  const bytes = Buffer.from(text, 'utf8');
  return { ...keep(bytes, blobs), as: 'text', preview: preview(text), tokens: countText(text) };
}

function bytesRef(bytes: Uint8Array, as: 'bytes' | 'base64', blobs: Blob[]): BlobRef {
  return { ...keep(bytes, blobs), as, preview: '', ...imageSize(bytes) };
}

function jsonRef(value: unknown, blobs: Blob[]): BlobRef {
  const text = JSON.stringify(value);
  const bytes = Buffer.from(text, 'utf8');
  return { ...keep(bytes, blobs), as: 'json', preview: preview(text), tokens: countText(text) };
}

function keep(bytes: Uint8Array, blobs: Blob[]): { $blob: string; bytes: number } {
  const hash = createHash('sha256').update(bytes).digest('hex');
  blobs.push({ hash, bytes });
  return { $blob: hash, bytes: bytes.byteLength };
}

/** The bytes, if encoding them again gives exactly this text. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function preview(text: string): string {
  return [...text.slice(0, PREVIEW_LENGTH * 2)].slice(0, PREVIEW_LENGTH).join('').toWellFormed();
}

function put(ref: BlobRef, walk: Walk): BlobRef {
  walk.refs++;
  walk.size += 400;
  return ref;
}

function measured<T>(value: T, size: number, walk: Walk): T {
  walk.size += size;
  return value;
}

function notJson(what: string): ThroughlineError {
  return new ThroughlineError(
    'entry-invalid',
    `Not appended: the body holds ${what}, which cannot be written down without loss. Convert it to JSON values first.`,
  );
}
