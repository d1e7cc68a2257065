import { ThroughlineError } from '../errors.ts';
import {
  type BlobRef,
  type EntryBody,
  type EntryId,
  FORMAT_VERSION,
  isBlobRef,
  liftBody,
  readBody,
  type SessionId,
} from '../record/index.ts';
import { entryCrc } from './encode-entry.ts';

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

/** The body with every reference replaced by the value it stands for: exactly what was appended. */
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
