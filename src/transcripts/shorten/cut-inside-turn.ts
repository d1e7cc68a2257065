import { hash } from 'node:crypto';
import type { Fields } from '../source/recover-line.ts';
import type { Analysed, FilePlace } from './analyse-file.ts';
import { LEAST_OLD_TURNS, type ShortenSettings } from './settings.ts';
import type { FileLine, Shape } from './shape.ts';
import { leftOutNote, withMark } from './whole-file.ts';

// An agent may work for hours on one request. The early steps of a long turn are old, the request is not: it stands whole
// behind the summary, and the newest steps as they were.

/** A cut behind a step of a turn. Everything before it goes, and the request is put behind the summary again. */
export interface InsideTurn extends Analysed {
  readonly request: FilePlace;
  /** How many tool results of the turn are old. */
  readonly steps: number;
}

/**
 * The cut inside a turn that is too long alone, the newest that has old steps; `undefined` if there is none. `keepTurns` counts
 * steps here. No call is parted from its result: the cut is behind a result, where no call waits for one.
 */
export function cutInsideTurn(
  analysed: Analysed,
  shape: Shape,
  { keepTurns, maxLines }: Pick<ShortenSettings, 'keepTurns' | 'maxLines'>,
): InsideTurn | undefined {
  const path = analysed.places.filter(({ onPath }) => onPath);
  const questions = path.filter(({ kind }) => kind === 'question');
  const settled = settledLines(path, shape);
  for (const [at, request] of [...questions.entries()].reverse()) {
    const end = questions[at + 1]?.line ?? path.at(-1)!.line + 1;
    if (end - request.line <= maxLines || !analysed.turns.includes(request.line)) continue;
    const results = path.filter(({ kind, line }) => kind === 'result' && line > request.line);
    const newest = results.length - keepTurns;
    const before = (line: number) => results.filter((result) => result.line < line).length;
    const cut = settled.findLast((line) => line <= end && before(line) <= newest);
    if (cut === undefined || before(cut) < LEAST_OLD_TURNS) continue;
    // What a compaction behind the cut keeps in sight is needed where it is.
    if (path.some(({ kind, line }) => kind === 'compaction' && line >= cut)) return undefined;
    return { ...analysed, cut, request, steps: before(cut) };
  }
  return undefined;
}

/** The lines behind a result at which every call has its result. */
function settledLines(path: readonly FilePlace[], shape: Shape): number[] {
  const open = new Set<string>();
  const lines: number[] = [];
  for (const { record, kind, line } of path) {
    const { calls, results } = shape.callsIn(record);
    for (const id of calls) open.add(id);
    for (const id of results) open.delete(id);
    if (kind === 'result' && open.size === 0) lines.push(line + 1);
  }
  return lines;
}

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
