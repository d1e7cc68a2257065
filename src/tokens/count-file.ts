import { isBlobPart } from './count-blob.ts';
import { ASSUMED_SIZE, countImage, type ImageProvider } from './count-image.ts';
import { type ImageSize, imageSize } from './image-size.ts';
import { countText } from './scan-text.ts';

// Files are counted by what a provider makes of them: a picture by its pixels, text as text, everything else by its
// size, because only the provider can tell how many pages or seconds are in it.

interface CountableFile {
  /** Any of the AI SDK's shapes: bytes, base64, a data URL, a URL, a tagged object, a reference to a blob. */
  readonly data: unknown;
  /** `image/png`, or just `image`. */
  readonly mediaType?: string | undefined;
}

/** Bytes for one token. PDF: 2,000 tokens for a page of 50 KB. Sound: 32 tokens a second. Film: 260 a second. */
const BYTES_PER_TOKEN: readonly (readonly [media: RegExp, bytes: number])[] = [
  [/^(text|application\/(json|xml|yaml|javascript|x-sh))\b/, 3],
  [/^application\/pdf\b/, 25],
  [/^audio\b/, 500],
  [/^video\b/, 1000],
  [/^/, 3],
];
/** A file that is only named: about two pages. */
const UNKNOWN_FILE = 4000;
/** Enough of a picture to find its size in. A multiple of four, to end on whole bytes. */
const HEADER_LENGTH = 88_000;

export function countFile({ data, mediaType = '' }: CountableFile, provider?: ImageProvider): number {
  if (typeof data === 'string') return countString(data, { mediaType, provider });
  if (data instanceof ArrayBuffer) return countFile({ data: new Uint8Array(data), mediaType }, provider);
  if (ArrayBuffer.isView(data)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return countBytes(bytes.length, { mediaType, size: imageSize(bytes), provider });
  }
  if (typeof data !== 'object' || data === null) return countUnknown(mediaType, provider);
  if (isBlobPart(data)) {
    const { tokens, bytes, width, height } = data;
    if (tokens !== undefined && (data.as === 'text' || isText(mediaType))) return tokens;
    const size = width !== undefined && height !== undefined ? { width, height } : undefined;
    return countBytes(bytes, { mediaType, size, provider });
  }
  return countTagged(data, { mediaType, provider });
}

interface FileFacts {
  readonly mediaType: string;
  readonly provider: ImageProvider | undefined;
}

/** `{ type: 'data' | 'text' | 'url' | 'reference', … }`; a URL object and a bare provider reference have no such type. */
function countTagged(data: object, { mediaType, provider }: FileFacts): number {
  const tagged = data as { type?: unknown; data?: unknown; text?: unknown };
  if (tagged.type === 'data') return countFile({ data: tagged.data, mediaType }, provider);
  if (tagged.type !== 'text') return countUnknown(mediaType, provider);
  if (typeof tagged.text === 'string') return countText(tagged.text);
  return countFile({ data: tagged.text, mediaType: 'text' }, provider);
}

function countString(text: string, { mediaType, provider }: FileFacts): number {
  if (/^https?:/i.test(text)) return countUnknown(mediaType, provider);
  const [header, type = ''] = /^data:([^;,]*)[^,]*,/i.exec(text) ?? [''];
  const size = imageSize(firstBytes(text.slice(header.length, header.length + HEADER_LENGTH)));
  return countBytes(Math.floor(((text.length - header.length) * 3) / 4), {
    mediaType: mediaType || type,
    size,
    provider,
  });
}

function countBytes(
  bytes: number,
  { mediaType, size, provider }: FileFacts & { size: ImageSize | undefined },
): number {
  if (size || /^image\b/.test(mediaType)) return countImage(size ?? ASSUMED_SIZE, provider);
  const [, perToken] = BYTES_PER_TOKEN.find(([media]) => media.test(mediaType))!;
  return Math.ceil(bytes / perToken);
}

function countUnknown(mediaType: string, provider: ImageProvider | undefined): number {
  return /^image\b/.test(mediaType) ? countImage(ASSUMED_SIZE, provider) : UNKNOWN_FILE;
}

function isText(mediaType: string): boolean {
  return BYTES_PER_TOKEN[0]![0].test(mediaType);
}

/** Nothing, if this is not base64 after all. */
function firstBytes(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    );
  } catch {
    return new Uint8Array();
  }
}
