import { createHash } from 'node:crypto';
import { plainBody } from '../../record/index.ts';
import type { OutgoingEntry, OutgoingSession } from '../transcript.ts';
import { encodeValue } from './plain-json.ts';

/** What a log says, as one hash: ids, numbers, times and whole bodies, whatever the order of their fields. */
export async function hashLog(session: OutgoingSession): Promise<string> {
  const hash = createLogHash();
  for await (const entry of session.entries()) hash.add(entry);
  return hash.digest();
}

export function createLogHash(): { add(entry: OutgoingEntry): void; digest(): string } {
  const hash = createHash('sha256');
  return {
    add: ({ id, seq, at, body }) =>
      void hash.update(`${JSON.stringify(sorted(encodeValue([id, seq, at, plainBody(body)])))}\n`),
    digest: () => hash.digest('hex'),
  };
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = value as Readonly<Record<string, unknown>>;
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
  return Object.fromEntries(keys.sort().map((key) => [key, sorted(fields[key])]));
}
