import { hash } from 'node:crypto';
import type { Fields } from '../transcripts/index.ts';
import type { Analysed } from './analyse-file.ts';
import type { FileLine } from './file-lines.ts';
import type { Shape } from './shape.ts';
import { leftOutNote, withMark } from './whole-file.ts';

// An agent may work for hours on one question. A file of one turn has no old turns to summarise, and most of its bytes are
// the output of tools: the oldest of it is left out, with a note that says where the original is.

export interface Elided {
  readonly content: Buffer;
  /** How many results are left out. */
  readonly results: number;
}

/** A shorter result is kept: the note in its place would not be worth it. */
const LEAST_BYTES = 1_000;
/** The least share of the file that has to go: archiving and rewriting a file for a few results is not worth it. */
const LEAST_GAIN = 0.25;

/** The file without the output of its old tool results; `undefined` if that gains too little. Every other line is as it was. */
export function elideResults(
  lines: readonly FileLine[],
  { places }: Analysed,
  { shape, keep }: { shape: Shape; keep: number },
): Elided | undefined {
  const bytes = Buffer.concat(lines.map((line) => line.bytes));
  const sha256 = hash('sha256', bytes);
  const results = places.filter(({ kind }) => kind === 'result');
  const old = new Map(
    results.slice(0, Math.max(0, results.length - keep)).map((place) => [place.line, place]),
  );
  const short = new Map<number, Fields>();
  for (const [at, { bytes: line, records }] of lines.entries()) {
    const place = records.length === 1 && line.length >= LEAST_BYTES ? old.get(at) : undefined;
    const record = place && shape.elide(place.record, leftOutNote(at + 1, sha256));
    if (record) short.set(at, record);
  }
  const last = [...short.keys()].at(-1);
  const pieces = lines.map(({ bytes: line }, at) => {
    const record = short.get(at);
    if (!record) return line;
    const mark = { by: 'left-out', original: sha256, behind: lines.length - at - 1 };
    return Buffer.from(`${JSON.stringify(at === last ? withMark(record, mark) : record)}\n`);
  });
  const content = Buffer.concat(pieces);
  return content.length <= bytes.length * (1 - LEAST_GAIN) ? { content, results: short.size } : undefined;
}
