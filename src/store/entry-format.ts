import { ThroughlineError } from '../errors.ts';
import {
  type BlobRef,
  checkBody,
  type Entry,
  type EntryBody,
  type EntryId,
  FORMAT_VERSION,
  isBlobRef,
  liftBody,
  type NewEntry,
  newEntryId,
  type Part,
  plainBody,
  readBody,
  type SessionId,
  SUMMARY_LISTS,
  type Summary,
  toEntryId,
  type Usage,
} from '../record/index.ts';
import { countMessage, countText } from '../tokens/index.ts';
import { type Blob, setAside } from './set-aside.ts';

/** An entry as every backend writes it down. Made once, before the transaction, so that nothing in it can fail inside. */
export interface EncodedEntry {
  readonly id: EntryId;
  readonly at: number;
  readonly tokens: number;
  /** The body as a later read returns it: large values replaced by references. */
  readonly body: EntryBody;
  readonly kind: string;
  readonly version: number;
  /** Valid UTF-8 whatever the text: `JSON.stringify` escapes NULs and lone surrogates, and parsing gives them back. */
  readonly json: string;
  /** The same as it is in the file, byte for byte: made once, for the checksum and for the file. */
  readonly bytes: Uint8Array;
  readonly crc: number;
  readonly blobs: readonly Blob[];
  /** The caller gave the id, so it may be a repeat. */
  readonly named: boolean;
}

/** The last millisecond that a `Date` can show. */
const LAST_DATE = 8.64e15;

/** Whole milliseconds since 1970, up to the end of what a `Date` can show. */
export function isTime(at: number): boolean {
  return Number.isInteger(at) && at >= 0 && at <= LAST_DATE;
}

export function encodeEntry({ id: asked, at, body }: NewEntry, now: number): EncodedEntry {
  const id = asked === undefined ? undefined : toEntryId(asked);
  if (asked !== undefined && id === undefined) {
    throw new ThroughlineError('entry-invalid', `Not appended: "${asked}" is not an entry id (a UUID).`);
  }
  if (at !== undefined && !isTime(at)) {
    throw new ThroughlineError(
      'entry-invalid',
      `Not appended: ${at} is not a time in whole milliseconds since 1970.`,
    );
  }
  const blobs: Blob[] = [];
  const stored = setAsideBody(checkBody(body), blobs);
  // A written body has to pass as one when it is read, or an acknowledged entry could not be had back.
  if (stored !== body) checkBody(stored);
  const plain = plainBody(stored);
  const json = JSON.stringify(plain);
  const bytes = toBytes(json);
  const given = { id: id ?? newEntryId(now), at: at ?? now };
  return {
    ...given,
    tokens: tokensOf(stored, json),
    body: stored,
    kind: plain.kind,
    version: FORMAT_VERSION,
    json,
    bytes,
    crc: entryCrc({ ...given, json: bytes }),
    blobs,
    named: id !== undefined,
  };
}

/** As a read returns it. */
export function storedEntry({ id, at, tokens, body }: EncodedEntry, seq: number): Entry {
  return { id, seq, at, tokens, body };
}

/** The usage of the model calls an entry records. */
export function usageOf(body: EntryBody): Usage | undefined {
  if (body.kind === 'message' || body.kind === 'compaction') return body.usage;
  return body.kind === 'restoration' ? body.acknowledgement?.usage : undefined;
}

// What may hold anything, and so anything large, is set aside; what the schema fixes stays where readers look for it.
function setAsideBody(body: EntryBody, blobs: Blob[]): EntryBody {
  const inPlace = <T>(value: T) => setAside(value, blobs, { limit: Number.POSITIVE_INFINITY }) as T;
  const open = <T>(value: T) => setAside(value, blobs) as T;
  switch (body.kind) {
    case 'message':
      return withFields(body, { parts: setAsideParts(body.parts, blobs), meta: open(body.meta) });
    case 'compaction':
      return withFields(body, { summary: inPlace(body.summary), meta: open(body.meta) });
    case 'restoration': {
      const said = body.acknowledgement;
      const acknowledgement = said && withFields(said, { parts: [...setAsideParts(said.parts, blobs)] });
      return withFields(body, { summary: inPlace(body.summary), meta: open(body.meta), acknowledgement });
    }
    case 'setting':
      return withFields(body, { value: inPlace(body.value) });
    case 'document':
      return withFields(body, { content: open(body.content), meta: open(body.meta) });
    case 'merge':
      return withFields(body, { summary: inPlace(body.summary), meta: open(body.meta) });
    case 'todo':
      return withFields(body, { meta: open(body.meta) });
    case 'run':
      return 'parts' in body ? withFields(body, { parts: setAsideParts(body.parts, blobs) as never }) : body;
    case 'unknown':
      return withFields(body, { value: setAside(body.value, blobs, { label: 'kind' }) as typeof body.value });
    default:
      return body;
  }
}

function setAsideParts(parts: readonly Part[], blobs: Blob[]): readonly Part[] {
  const kept = parts.map((part) => setAside(part, blobs, { label: 'type' }) as Part);
  return kept.every((part, index) => part === parts[index]) ? parts : kept;
}

/** The same object if none of the fields changed. */
function withFields<T extends object>(value: T, fields: Partial<T>): T {
  let changed = value;
  for (const name in fields) {
    if (fields[name] !== value[name]) changed = { ...changed, [name]: fields[name] };
  }
  return changed;
}

function tokensOf(body: EntryBody, json: string): number {
  if (body.kind === 'message') return countMessage(body);
  if (body.kind === 'compaction') return body.tokensAfter;
  if (body.kind === 'merge') return countText(linesIn(body.summary));
  return body.kind === 'restoration' || body.kind === 'document' ? countText(json) : 0;
}

/** What a context shows of a summary: its words, and not the ids that they came from. */
function linesIn(summary: Summary): string {
  const lines = SUMMARY_LISTS.filter((list) => list !== 'topics').flatMap((list) => summary[list] ?? []);
  return [summary.overview, ...lines.map(({ text }) => text), ...summary.files.map(({ path }) => path)].join(
    '\n',
  );
}

let zlib: typeof import('node:zlib') | undefined;

/** Vouches for everything of an entry that its writer decided: its id, its time and, byte for byte, its body. */
export function entryCrc({ id, at, json }: { id: EntryId; at: number; json: string | Uint8Array }): number {
  // Loaded at the first entry: a list of sessions reads none.
  zlib ??= process.getBuiltinModule('node:zlib');
  return zlib.crc32(json, zlib.crc32(`${id} ${at} `));
}

const SLAB = 256 * 1024;
/** A code unit takes three bytes at most. */
const MOST = 3;

let slab = Buffer.allocUnsafeSlow(0);
let used = 0;

/**
 * Text as UTF-8. Texts of usual length lie side by side in a slab: asking how long one will be and making room for it alone
 * takes as long as writing it. A slab is forgotten with the last text in it.
 */
export function toBytes(text: string): Uint8Array {
  const most = text.length * MOST;
  if (most > SLAB / 2) return Buffer.from(text, 'utf8');
  if (used + most > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  const start = used;
  used += slab.write(text, start, 'utf8');
  return slab.subarray(start, used);
}

export interface StoredBody {
  readonly id: EntryId;
  readonly seq: number;
  readonly at: number;
  readonly version: number;
  readonly json: string;
  readonly crc: number;
}

/** The body as it was written, lifted to the current format. Damage throws `entry-unreadable`; it is never skipped. */
export function decodeBody(session: SessionId, { id, seq, at, version, json, crc }: StoredBody): EntryBody {
  try {
    if (entryCrc({ id, at, json }) !== crc) throw new TypeError('the checksum does not match');
    const body = JSON.parse(json) as { kind: string };
    if (version > FORMAT_VERSION) return { kind: 'unknown', was: body.kind, value: body };
    return readBody(liftBody(body, version));
  } catch (cause) {
    throw new ThroughlineError(
      'entry-unreadable',
      `Entry ${id} (number ${seq} of session "${session}") cannot be read: it is damaged.`,
      { cause, details: { session, entry: id, seq } },
    );
  }
}

/** The body with every reference replaced by the value it stands for: exactly the appended values. */
export async function wholeBody(
  body: EntryBody,
  readBlob: (hash: string) => Promise<Uint8Array>,
): Promise<EntryBody> {
  return (await fill(body, readBlob)) as EntryBody;
}

async function fill(value: unknown, readBlob: (hash: string) => Promise<Uint8Array>): Promise<unknown> {
  if (typeof value !== 'object' || value === null) return value;
  if (isBlobRef(value)) return restored(value, await readBlob(value.$blob));
  if (Array.isArray(value)) return Promise.all(value.map((item) => fill(item, readBlob)));
  const fields = await Promise.all(
    Object.entries(value).map(async ([key, field]) => [key, await fill(field, readBlob)] as const),
  );
  return Object.fromEntries(fields);
}

function restored({ as }: BlobRef, bytes: Uint8Array): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (as) {
    case 'text':
      return buffer.toString('utf8');
    case 'base64':
      return buffer.toString('base64');
    case 'json':
      return JSON.parse(buffer.toString('utf8'));
    case 'bytes':
      return new Uint8Array(bytes);
  }
}
