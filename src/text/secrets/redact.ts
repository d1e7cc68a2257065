import { isUtf8 } from 'node:buffer';
import { findSecrets } from './find-secrets.ts';
import type { SecretFinder } from './look-for.ts';

/** A secret that was taken out: where its placeholder stands now, in bytes, and the bytes that stood there. */
export interface TakenSecret {
  readonly at: number;
  readonly length: number;
  /** Base64: secrets are bytes. */
  readonly value: string;
}

interface Redacted {
  readonly bytes: Buffer;
  readonly secrets: readonly TakenSecret[];
}

/** Takes secrets out of texts. The same secret has the same placeholder in all texts of one redactor. */
export interface Redactor {
  text(text: string): Promise<string>;
  /** How many different ones were found so far. */
  readonly count: number;
}

interface RedactOptions {
  /** What counts as a secret. */
  readonly find?: SecretFinder;
  /** Placeholders that are there already keep their numbers: new ones are numbered behind them. */
  readonly after?: number;
}

export function createRedactor({ find = findSecrets, after = 0 }: RedactOptions = {}): Redactor {
  const names = createNames(after);
  /** Names of fields and other short texts come again in almost every entry; most of the time went into looking anew. */
  const clean = new Set<string>();
  return {
    async text(text) {
      if (clean.has(text)) return text;
      const found = await find(text);
      if (found.length === 0) {
        if (text.length <= SHORT && clean.size < MOST_CLEAN) clean.add(text);
        return text;
      }
      let redacted = '';
      let from = 0;
      for (const { start, end, kind } of found) {
        redacted += text.slice(from, start) + names.of(text.slice(start, end), kind);
        from = end;
      }
      return redacted + text.slice(from);
    },
    get count() {
      return names.count;
    },
  };
}

const SHORT = 200;
const MOST_CLEAN = 20_000;

/** Takes the secrets out of a file, whatever its bytes are. With the removed texts the file can be restored to the byte. */
export async function redactBytes(
  bytes: Uint8Array,
  { find = findSecrets, after = 0 }: RedactOptions = {},
): Promise<Redacted> {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = createNames(after);
  const pieces: Buffer[] = [];
  const secrets: TakenSecret[] = [];
  let length = 0;
  const give = (piece: Buffer) => {
    pieces.push(piece);
    length += piece.length;
  };
  // A named secret may stand on several lines; the scanner's forms do not, but for keys.
  const blocks = find === findSecrets || whole.length > LONGEST_TEXT ? blocksOf(whole) : [whole];
  for (const block of blocks) {
    // Bytes that are no text come back as they are only from an encoding that has one character for each.
    const encoding = isUtf8(block) ? 'utf8' : 'latin1';
    const text = block.toString(encoding);
    let from = 0;
    for (const { start, end, kind } of await find(text)) {
      give(Buffer.from(text.slice(from, start), encoding));
      const secret = text.slice(start, end);
      const placeholder = Buffer.from(names.of(secret, kind));
      const value = Buffer.from(secret, encoding).toString('base64');
      secrets.push({ at: length, length: placeholder.length, value });
      give(placeholder);
      from = end;
    }
    give(Buffer.from(text.slice(from), encoding));
  }
  return { bytes: Buffer.concat(pieces, length), secrets };
}

/** What stands in the place of a secret. */
export const PLACEHOLDER = /\[secret-(\d{1,9}) [a-z0-9-]+\]/g;

/** The highest number of a placeholder in a text, 0 if there is none. */
export function lastPlaceholder(text: string): number {
  let last = 0;
  for (const [, number] of text.matchAll(PLACEHOLDER)) last = Math.max(last, Number(number));
  return last;
}

/** Puts removed texts back. */
export function putBack(redacted: Uint8Array, secrets: readonly TakenSecret[]): Buffer {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { at, length, value } of secrets) {
    pieces.push(redacted.subarray(from, at), Buffer.from(value, 'base64'));
    from = at + length;
  }
  pieces.push(redacted.subarray(from));
  return Buffer.concat(pieces);
}

/** Numbered as they come. Nothing of the secret is in its name, not even a hash: short ones could be guessed from it. */
function createNames(after: number) {
  const numbers = new Map<string, number>();
  return {
    of(secret: string, kind: string): string {
      const number = numbers.get(secret) ?? after + numbers.size + 1;
      numbers.set(secret, number);
      return `[secret-${number} ${kind}]`;
    },
    get count() {
      return numbers.size;
    },
  };
}

const BLOCK = 1 << 20;
const LONGEST_TEXT = 1 << 28;
const LONGEST_KEY = 1 << 16;

/** Whole lines, about a megabyte at a time, and never the half of a key that stands on several lines. */
function* blocksOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    let end = lineEnd(bytes, Math.min(bytes.length, from + BLOCK));
    const begun = bytes.subarray(Math.max(from, end - LONGEST_KEY), end).toString('latin1');
    const open = begun.lastIndexOf('PRIVATE KEY-----');
    if (open >= 0 && /-----BEGIN [A-Z0-9 ]*$/.test(begun.slice(Math.max(0, open - 40), open)))
      end = lineEnd(bytes, Math.min(bytes.length, end + LONGEST_KEY));
    yield bytes.subarray(from, end);
    from = end;
  }
}

function lineEnd(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0x0a, from);
  return end < 0 ? bytes.length : end + 1;
}
