import { ThroughlineError } from '../../../errors.ts';
import {
  deriveEntryId,
  type EntryBody,
  type EntryId,
  FORMAT_VERSION,
  isEntryId,
  isSessionId,
  liftBody,
  type Parent,
  readBody,
} from '../../../record/index.ts';
import { createLogHash } from '../../export/hash-log.ts';
import { decodeValue } from '../../export/plain-json.ts';
import { readRecords, type SourceItem } from '../../source/read-records.ts';
import type { Fields } from '../../source/recover-line.ts';
import type { DamageKind, Found, FoundEntry, FoundSession, Reader } from '../../transcript.ts';

export const readThroughline: Reader = async function* (source) {
  const reading = createReading();
  for await (const items of readRecords(source, { isRecord: isThroughlineLine })) {
    const found: Found[] = [];
    for (const item of items) reading.take(item, found);
    yield found;
  }
  const found: Found[] = [];
  reading.end(found);
  yield found;
};

function isThroughlineLine(value: Fields): boolean {
  return ['throughline', 'session', 'entry', 'end'].some((key) => key in value);
}

function createReading() {
  let format = FORMAT_VERSION;
  let session:
    | { id: string; next: number; hash: ReturnType<typeof createLogHash>; entries: number }
    | undefined;
  /** The session that has begun, until its first entry is known, and the damage that was found since. */
  let held: { begin: (first: EntryId | undefined) => FoundSession; damage: Found[] } | undefined;
  /** What stood where entries are missing. */
  let remains: string[] = [];

  function start({ id, createdAt, parent }: Fields, found: Found[]): void {
    if (typeof id !== 'string' || !isSessionId(id)) return void report('misshapen', found);
    const from = parent as Parent | undefined;
    session = {
      id,
      next: from?.relation === 'fork' ? from.seq + 1 : 1,
      hash: createLogHash(),
      entries: 0,
    };
    release(found);
    const begin = (first: EntryId | undefined): FoundSession => ({
      kind: 'session',
      key: id,
      own: { id, ...(from && { parent: from }), ...(first !== undefined && { first }) },
      ...(typeof createdAt === 'number' && { createdAt }),
    });
    held = { begin, damage: [] };
  }

  function release(found: Found[], first?: EntryId): void {
    if (held) found.push(held.begin(first), ...held.damage);
    held = undefined;
  }

  function report(what: DamageKind, found: Found[]): void {
    (held?.damage ?? found).push({ kind: 'damage', what });
  }

  /** Entries that are missing keep their numbers, so that what refers to later ones still does. */
  function fillGap(upTo: number, found: Found[]): void {
    if (!session) return;
    for (; session.next < upTo; session.next++) {
      const text = remains.join('\n');
      const value = {
        kind: 'lost',
        seq: session.next,
        reason: 'not readable in the file',
        ...(text && { text }),
      };
      remains = [];
      const body = { kind: 'unknown' as const, was: 'lost', value };
      const id = deriveEntryId('lost', session.id, String(session.next));
      found.push({ kind: 'damage', what: 'lost' }, { kind: 'entry', id, at: 0, body, seq: session.next });
    }
  }

  function add(raw: Fields, found: Found[]): void {
    const entry = session && toEntry(raw, format);
    if (!session || !entry) {
      remains.push(JSON.stringify(raw));
      return void report('misshapen', found);
    }
    if (entry.seq! < session.next) return void report('repeated', found);
    release(found, entry.id);
    fillGap(entry.seq!, found);
    session.next = entry.seq! + 1;
    session.hash.add({ ...entry, seq: entry.seq!, body: entry.body as EntryBody });
    session.entries++;
    found.push(entry);
  }

  function close({ session: id, entries, hash }: Fields, found: Found[]): void {
    if (session && id === session.id && (entries !== session.entries || hash !== session.hash.digest()))
      report('differs', found);
    release(found);
    session = undefined;
  }

  return {
    take(item: SourceItem, found: Found[]): void {
      if ('quiet' in item) found.push({ kind: 'quiet' });
      else if ('damage' in item) report(item.damage, found);
      else if ('fragment' in item) remains.push(item.fragment);
      else {
        const { value } = item;
        if (typeof value.format === 'number') format = checkVersion(value.format);
        else if (isFields(value.session)) start(value.session, found);
        else if (isFields(value.entry)) add(value.entry, found);
        else if (isFields(value.end)) close(value.end, found);
        else report('misshapen', found);
      }
    },
    end(found: Found[]): void {
      // Every session ends with its hash, so one that does not was cut off.
      if (session) report('torn', found);
      release(found);
    },
  };
}

function toEntry({ id, seq, at, body }: Fields, format: number): FoundEntry | undefined {
  if (typeof id !== 'string' || !isEntryId(id) || typeof seq !== 'number' || typeof at !== 'number')
    return undefined;
  try {
    const lifted = liftBody(decodeValue(body) as { kind: string }, format);
    return { kind: 'entry', id, seq, at, body: readBody(lifted) };
  } catch {
    return undefined;
  }
}

function checkVersion(format: number): number {
  if (format <= FORMAT_VERSION) return format;
  throw new ThroughlineError(
    'transcript-newer',
    `The file was written by a newer version of Throughline (format ${format}, this one reads up to ${FORMAT_VERSION}). Nothing was imported; upgrade to read it.`,
    { details: { format, known: FORMAT_VERSION } },
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
