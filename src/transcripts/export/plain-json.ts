// Bodies may hold bytes, which JSON has not. They are written as { "$bytes": "base64" }; an object that happens to have this
// key is wrapped, so that everything comes back unchanged.

const BYTES = '$bytes';
const PLAIN = '$plain';

/** The value as JSON can hold it. The same value if nothing had to change. */
export function encodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { [BYTES]: Buffer.from(value).toString('base64') };
  if (Array.isArray(value)) return changed(value, value.map(encodeValue));
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  const encoded = names.map((name) => encodeValue(fields[name]));
  const same = names.every((name, index) => fields[name] === encoded[index]);
  const plain = same ? fields : Object.fromEntries(names.map((name, index) => [name, encoded[index]]));
  return names.some((name) => name === BYTES || name === PLAIN) ? { [PLAIN]: plain } : plain;
}

export function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return changed(value, value.map(decodeValue));
  const fields = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(fields);
  if (names.length === 1) {
    const inside = fields[names[0]!];
    if (names[0] === BYTES && typeof inside === 'string')
      return new Uint8Array(Buffer.from(inside, 'base64'));
    if (names[0] === PLAIN && typeof inside === 'object' && inside !== null) return decodeFields(inside);
  }
  return decodeFields(fields);
}

function decodeFields(fields: object): unknown {
  const entries = Object.entries(fields);
  const decoded = entries.map(([name, field]) => [name, decodeValue(field)] as const);
  return decoded.every(([, field], index) => field === entries[index]![1])
    ? fields
    : Object.fromEntries(decoded);
}

function changed(before: readonly unknown[], after: readonly unknown[]): readonly unknown[] {
  return after.every((item, index) => item === before[index]) ? before : after;
}
