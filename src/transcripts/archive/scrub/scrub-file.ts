import {
  createRedactor,
  lastPlaceholder,
  PLACEHOLDER,
  redactBytes,
  type SecretFinder,
  type TakenSecret,
} from '../../../text/secrets/index.ts';
import { type ArchiveRecord, sha256 } from '../archive-record.ts';
import { openVault, type VaultPlace } from '../vault.ts';

interface Scrubbed {
  readonly stored: Buffer;
  readonly record: ArchiveRecord | undefined;
  /** How many more placeholders there are now. */
  readonly secrets: number;
  /** All that was ever taken out of it, if that is known: with it the original can be made again. */
  readonly taken: readonly TakenSecret[] | undefined;
}

/** An archived file and its record with more secrets taken out. Placeholders that are there already stay as they are. */
export async function scrubFile(
  find: SecretFinder,
  { stored, record }: { stored: Buffer; record: ArchiveRecord | undefined },
  vault: VaultPlace,
): Promise<Scrubbed> {
  const after = record && record.secrets > 0 ? lastPlaceholder(stored.toString('latin1')) : 0;
  const how = { find: after > 0 ? besidePlaceholders(find) : find, after };
  const whole = await redactBytes(stored, how);
  const told = { stored: whole.bytes, secrets: whole.secrets.length };
  if (!record) return { ...told, record, taken: undefined };
  const name = await createRedactor({ find }).text(record.name);
  // Bytes behind the end in the record were added without a record.
  const known = stored.subarray(0, record.stored.bytes);
  const head = known.length === stored.length ? whole : await redactBytes(known, how);
  const fits = whole.bytes.subarray(0, head.bytes.length).equals(head.bytes);
  if (!fits || sha256(known) !== record.stored.sha256)
    return { ...told, record: { ...record, name }, taken: undefined };
  const named = { sha256: record.sha256, stored: record.stored.sha256 };
  const before = record.secrets === 0 ? [] : await openVault(vault, named);
  return {
    ...told,
    record: {
      ...record,
      name,
      stored: { ...record.stored, sha256: sha256(head.bytes), bytes: head.bytes.length },
      secrets: record.secrets + head.secrets.length,
    },
    taken: before && addUp(before, head.secrets),
  };
}

/** Nothing inside of a placeholder is a secret, and half of one would be nothing at all. */
function besidePlaceholders(find: SecretFinder): SecretFinder {
  return async (text) => {
    const there = [...text.matchAll(PLACEHOLDER)].map(
      ({ index, 0: { length } }) => [index, index + length] as const,
    );
    return (await find(text)).flatMap(({ start, end, kind }) => {
      const cut = there.filter(([from, to]) => from < end && to > start);
      if (cut.some(([from, to]) => from <= start && to >= end)) return [];
      const [first, last] = [cut[0]?.[0] ?? start, cut.at(-1)?.[1] ?? end];
      return [{ start: Math.min(start, first), end: Math.max(end, last), kind }];
    });
  };
}

/**
 * The first redaction and the redaction of the rest, as one list of places in the result. A later one may have an earlier
 * placeholder in it: then it stands for what that stood for, too.
 */
function addUp(first: readonly TakenSecret[], then: readonly TakenSecret[]): TakenSecret[] {
  const all: TakenSecret[] = [];
  const left = first.toSorted((a, b) => a.at - b.at);
  let shift = 0;
  for (const { at, length, value } of then) {
    const bytes = Buffer.from(value, 'base64');
    // Where it stood before it was taken out.
    const [from, to] = [at - shift, at - shift + bytes.length];
    while (left[0] && left[0].at < from) all.push(moved(left.shift()!, shift));
    const pieces: Buffer[] = [];
    let copied = 0;
    while (left[0] && left[0].at < to) {
      const inside = left.shift()!;
      pieces.push(bytes.subarray(copied, inside.at - from), Buffer.from(inside.value, 'base64'));
      copied = inside.at - from + inside.length;
    }
    pieces.push(bytes.subarray(copied));
    all.push({ at, length, value: Buffer.concat(pieces).toString('base64') });
    shift += length - bytes.length;
  }
  return [...all, ...left.map((one) => moved(one, shift))];
}

function moved({ at, ...rest }: TakenSecret, by: number): TakenSecret {
  return { at: at + by, ...rest };
}
