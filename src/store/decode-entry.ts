import { ThroughlineError } from '../errors.ts';
import {
  type EntryBody,
  type EntryId,
  FORMAT_VERSION,
  liftBody,
  readBody,
  type SessionId,
} from '../record/index.ts';
import { entryCrc } from './entry-crc.ts';

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
