import type { Analysed, Place } from './analyse-file.ts';
import { LEAST_OLD_TURNS, type ShortenSettings } from './settings.ts';
import type { Shape } from './shape.ts';

// An agent may work for hours on one request. The early steps of a long turn are old, the request is not: it stands whole
// behind the summary, and the newest steps as they were.

/** A cut behind a step of a turn. Everything before it goes, and the request is put behind the summary again. */
export interface InsideTurn extends Analysed {
  readonly request: Place;
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
function settledLines(path: readonly Place[], shape: Shape): number[] {
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
