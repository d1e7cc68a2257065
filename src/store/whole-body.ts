import { type BlobRef, type EntryBody, isBlobRef } from '../record/index.ts';

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
