import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { fieldsOf } from '../source/fields.ts';
import type { Fields } from '../source/recover-line.ts';
import { type FileLine, splitFile } from './shape.ts';

// A shortened file names its original by its hash: the record of a summary in a field that the programs pass over, a tool
// result whose output was left out in its note. So it can be put together as it would be without the shortening: the archived
// original, and every line that was added since. A digest is provisional: a model makes its summary again from that. An
// import reads that, so that a session which was imported whole goes on.

const FIELD = 'throughline';
const MOST_LAYERS = 20;

/** The original with this hash, if the archive has it to the byte. */
export type FindOriginal = (sha256: string) => Promise<Uint8Array | undefined>;

interface Mark {
  /** Who wrote the summary; `left-out` where output of tools was left out. */
  readonly by: string;
  /** The SHA-256 of the original. */
  readonly original: string;
  /** How many lines of the shortened file stood behind this one. Bytes behind that are new. */
  readonly behind: number;
}

/** The record of a shortening: the summary that it wrote last, or the last result that it left out. */
export function withMark(record: Fields, mark: Mark): Fields {
  return { ...record, [FIELD]: mark };
}

/** How many lines were added since the file was shortened last; all of them if it never was. */
export function linesSince(lines: readonly FileLine[]): number {
  const added = lines.flatMap(({ records }, at) =>
    records.flatMap((record) => {
      const mark = markIn(record);
      return mark ? [lines.length - at - 1 - mark.behind] : [];
    }),
  );
  return Math.max(0, Math.min(lines.length, ...added));
}

/** In the place of the output of a tool. */
export function leftOutNote(line: number, sha256: string): string {
  return `[Left out to shorten this file: the output of this tool, on line ${line} of the archived original with the SHA-256 ${sha256}.]`;
}

/** The file without the summaries of digests; `undefined` if it has none, or if an original cannot be had back whole. */
export function withoutDigests(
  lines: readonly FileLine[],
  original: FindOriginal,
): Promise<Buffer | undefined> {
  return unfold(lines, original, newestDigest);
}

/** A file as it would be if it had never been shortened; `undefined` if it was not, or if no original can be had back. */
export async function wholeFile(file: string, original: FindOriginal): Promise<Buffer | undefined> {
  const bytes = await readIfMarked(file);
  return bytes && unfold(splitFile(bytes), original, (lines) => newestNote(lines) ?? newestMark(lines));
}

/** What a shortening left in a file: the hash of the original, and the line after which everything is new if nothing else tells. */
interface Fold {
  readonly sha256: string;
  readonly line: number;
}

async function unfold(
  lines: readonly FileLine[],
  original: FindOriginal,
  find: (lines: readonly FileLine[]) => Fold | undefined,
): Promise<Buffer | undefined> {
  let whole: Buffer | undefined;
  // The original of a second shortening holds the summary of the first.
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const now: readonly FileLine[] = whole ? splitFile(whole) : lines;
    const fold = find(now);
    const before = fold && (await original(fold.sha256));
    if (!before || hash('sha256', before) !== fold.sha256) return whole;
    whole = Buffer.concat([endLine(before), ...addedSince(now, splitFile(Buffer.from(before)), fold.line)]);
  }
  return whole;
}

function newestDigest(lines: readonly FileLine[]): Fold | undefined {
  return newestMark(lines, ({ by }) => by === 'digest');
}

function newestMark(
  lines: readonly FileLine[],
  fits: (mark: Mark) => boolean = () => true,
): Fold | undefined {
  const marks = lines.map(({ records }) => records.map(markIn).find((mark) => mark && fits(mark)));
  const line = marks.findLastIndex((mark) => mark !== undefined);
  return line < 0 ? undefined : { sha256: marks[line]!.original, line };
}

const NOTE = /\[Left out to shorten this file: [^\]]*? with the SHA-256 ([0-9a-f]{64})\.\]/;

/** Leaving out output keeps every line where it was. */
function newestNote(lines: readonly FileLine[]): Fold | undefined {
  const line = lines.findLastIndex(({ bytes }) => NOTE.test(bytes.toString('utf8')));
  return line < 0 ? undefined : { sha256: NOTE.exec(lines[line]!.bytes.toString('utf8'))![1]!, line };
}

/** The lines behind the last one of the original; behind the summary if nothing recent was kept. */
function addedSince(now: readonly FileLine[], before: readonly FileLine[], summary: number): Buffer[] {
  const last = before.at(-1);
  const end = last ? now.findLastIndex((line) => wordsOf(line) === wordsOf(last)) : -1;
  return now.slice((end < 0 ? summary : end) + 1).map(({ bytes }) => bytes);
}

/** A line without the number that a shortening corrects in it. */
function wordsOf({ bytes }: FileLine): string {
  return bytes
    .toString('utf8')
    .trimEnd()
    .replace(/("firstKeptEntryIndex"\s*:\s*)\d+/, '$1');
}

function endLine(bytes: Uint8Array): Buffer {
  const whole = bytes.length === 0 || bytes.at(-1) === 0x0a;
  return whole ? Buffer.from(bytes) : Buffer.concat([bytes, Buffer.from('\n')]);
}

function markIn(record: Fields): Mark | undefined {
  const { by, original, behind = 0 } = fieldsOf(record[FIELD]);
  if (typeof by !== 'string' || typeof original !== 'string' || typeof behind !== 'number') return undefined;
  return { by, original, behind };
}

const SIGNS = [`"${FIELD}":{"by":"`, 'archived original with the SHA-256 '].map((sign) => Buffer.from(sign));
const CHUNK = 1 << 20;
const OVERLAP = 64;

/** Most files were never shortened: those are looked through once, a piece at a time. */
async function readIfMarked(file: string): Promise<Buffer | undefined> {
  await using handle = await open(file, 'r');
  const buffer = Buffer.allocUnsafe(CHUNK + OVERLAP);
  let kept = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, kept, CHUNK);
    if (bytesRead === 0) return undefined;
    const piece = buffer.subarray(0, kept + bytesRead);
    if (SIGNS.some((sign) => piece.includes(sign))) break;
    kept = Math.min(OVERLAP, piece.length);
    buffer.copyWithin(0, piece.length - kept, piece.length);
  }
  const { size } = await handle.stat();
  const bytes = Buffer.alloc(size);
  await handle.read(bytes, 0, size, 0);
  return bytes;
}
