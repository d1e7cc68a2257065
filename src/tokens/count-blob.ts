import { countImage, type ImageProvider } from './count-image.ts';

/** What an entry holds in place of a value that is kept elsewhere. The `$blob` key alone tells it from other objects. */
interface CountableBlob {
  readonly $blob: string;
  readonly as: 'text' | 'base64' | 'bytes' | 'json';
  readonly bytes: number;
  readonly tokens?: number | undefined;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

export function isBlobPart(value: unknown): value is CountableBlob {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, '$blob');
}

/** Tokens of the value that a reference stands for: as they were counted when it was set aside, else by its size. */
export function countBlob(blob: CountableBlob, provider?: ImageProvider): number {
  if (blob.tokens !== undefined) return blob.tokens;
  const { width, height } = blob;
  if (width !== undefined && height !== undefined) return countImage({ width, height }, provider);
  return Math.ceil(blob.bytes / BYTES_PER_TOKEN[blob.as]);
}

/** Base64 is a third longer than its bytes, and a token holds one and a half characters of it. */
const BYTES_PER_TOKEN: Readonly<Record<CountableBlob['as'], number>> = {
  text: 3,
  json: 3,
  base64: 1.1,
  bytes: 1.1,
};
