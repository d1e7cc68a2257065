import { hash } from 'node:crypto';
import type { Analysed } from './analyse-file.ts';
import type { FileLine } from './file-lines.ts';
import type { Shape } from './shape.ts';
import { leftOutNote } from './whole-file.ts';

// An agent may work for hours on one question. Such a file has no old turns to summarise, and most of its bytes are the
// output of tools: the oldest of it is left out, with a note that says where the original is.

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
  let count = 0;
  const pieces = lines.map(({ bytes: line, records }, at) => {
    const place = records.length === 1 && line.length >= LEAST_BYTES ? old.get(at) : undefined;
    const record = place && shape.elide(place.record, leftOutNote(at + 1, sha256));
    if (!record) return line;
    count++;
    return Buffer.from(`${JSON.stringify(record)}\n`);
  });
  const content = Buffer.concat(pieces);
  return content.length <= bytes.length * (1 - LEAST_GAIN) ? { content, results: count } : undefined;
}
