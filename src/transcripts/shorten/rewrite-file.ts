import { hash } from 'node:crypto';
import type { Fields } from '../source/recover-line.ts';
import type { Analysed, FilePlace } from './analyse-file.ts';
import type { FileLine, RecordKind, Shape, SummaryStyle } from './shape.ts';
import { withMark } from './whole-file.ts';

export interface RewriteOptions {
  readonly shape: Shape;
  readonly summary: string;
  readonly style: SummaryStyle;
  readonly tokensBefore: number;
  /** Who wrote the summary: the record of it says so, and names the original. */
  readonly by: 'digest' | 'model';
  /** The request of a turn that is cut: it stands once more behind the summary. */
  readonly request?: Fields;
}

const STAYS: readonly RecordKind[] = ['header', 'other'];

/** Whether a line goes: it is old, and everything on it was said. Pure. */
function leaves({ cut, places }: Analysed): Set<number> {
  const byLine = Map.groupBy(places, ({ line }) => line);
  const gone = new Set<number>();
  for (const [line, on] of byLine)
    if (line < cut && on.every(({ kind }) => !STAYS.includes(kind))) gone.add(line);
  return gone;
}

/**
 * The file with a summary in place of its old turns. Lines that stay are the bytes they were: what they follow is still
 * there under its name, as the summary itself or as a placeholder. Pure, and the same for the same input.
 */
export function rewriteFile(lines: readonly FileLine[], analysed: Analysed, options: RewriteOptions): Buffer {
  const { shape } = options;
  const { places, cut } = analysed;
  const gone = leaves(analysed);
  const tree = createTree(places, gone, shape);
  const next = places.find(({ line, onPath }) => line >= cut && onPath);
  const name = next ? tree.newestGone(next.record) : tree.lastGone();
  // Everything that leads to the recent turns stays, so there is nothing that a summary would stand for.
  if (name === undefined && places.some(({ record }) => shape.nameOf(record) !== undefined))
    return Buffer.concat(lines.map(({ bytes }) => bytes));
  const named = new Set(name === undefined ? [] : [name]);
  const pieces: Buffer[] = [];
  let count = 0;
  const add = (record: Fields) => {
    pieces.push(lineOf(record));
    count++;
  };
  let summary: { readonly record: Fields; readonly at: number } | undefined;
  const summaryAt = timeOf(places.findLast(({ line }) => gone.has(line))) ?? timeOf(places[0]) ?? '';

  function addMissing(record: Fields): void {
    const parent = shape.parentOf(record);
    if (!shape.placeholder || typeof parent !== 'string' || named.has(parent) || !tree.isGone(parent)) return;
    named.add(parent);
    add(shape.placeholder(parent, tree.standing(parent), timeOf(tree.placeOf(parent)) ?? summaryAt));
  }

  function addSummary(): void {
    const after = name === undefined ? null : tree.standing(name);
    const { request } = options;
    // Behind a request the name of the record that is followed is the request's.
    const own = request && name !== undefined ? shape.otherName!(name) : name;
    const like =
      places.findLast(({ kind }) => kind === 'answer') ?? places.findLast(({ kind }) => kind === 'question');
    const records = shape.summaryRecords({
      text: options.summary,
      style: options.style,
      tokensBefore: options.tokensBefore,
      timestamp: summaryAt,
      name: own,
      after,
      next: { name: request && name !== undefined ? name : next && shape.nameOf(next.record), index: count },
      like: like?.record ?? {},
    });
    for (const record of records) add(record);
    summary = { record: records.at(-1)!, at: pieces.length - 1 };
    if (request) add(own === undefined ? request : shape.repeat!(request, { name: name!, after: own }));
  }

  // Whatever follows it stands behind it, so that the file can still be read from front to back.
  const followers = places.filter(
    ({ record, line }) => !gone.has(line) && name !== undefined && shape.parentOf(record) === name,
  );
  const place = Math.min(cut, ...followers.map(({ line }) => line));
  for (const [at, line] of lines.entries()) {
    if (at === place) addSummary();
    if (gone.has(at)) continue;
    for (const record of line.records) addMissing(record);
    pieces.push(renumbered(line, { shape, places, gone, added: count }));
    count += line.records.length;
  }
  if (place >= lines.length) {
    // A half line at the end would swallow the summary.
    if (pieces.length > 0 && pieces.at(-1)!.at(-1) !== 0x0a) pieces.push(Buffer.from('\n'));
    addSummary();
  }
  // Only now is it known how many lines stand behind it.
  if (summary) {
    const original = hash('sha256', Buffer.concat(lines.map(({ bytes }) => bytes)));
    const behind = pieces.length - summary.at - 1;
    pieces[summary.at] = lineOf(withMark(summary.record, { by: options.by, original, behind }));
  }
  return Buffer.concat(pieces);
}

function lineOf(record: Fields): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

function createTree(places: readonly FilePlace[], gone: ReadonlySet<number>, shape: Shape) {
  const byName = new Map<string, FilePlace>();
  for (const place of places) {
    const name = shape.nameOf(place.record);
    if (name !== undefined && !byName.has(name)) byName.set(name, place);
  }
  const isGone = (name: string) => gone.has(byName.get(name)?.line ?? -1);
  const parentOf = (name: string) => {
    const place = byName.get(name);
    return place ? shape.parentOf(place.record) : undefined;
  };
  const tree = {
    isGone,
    placeOf: (name: string) => byName.get(name),
    /** Where everything goes: the record that one would go on behind. */
    lastGone: () => {
      const last = places.findLast(({ onPath, record }) => onPath && shape.nameOf(record) !== undefined);
      return last && (gone.has(last.line) ? shape.nameOf(last.record) : tree.newestGone(last.record));
    },
    /** Going up from a record that stays, the first one that does not. */
    newestGone(record: Fields): string | undefined {
      const seen = new Set<string>();
      for (let at = shape.parentOf(record); typeof at === 'string' && !seen.has(at); at = parentOf(at)) {
        if (isGone(at)) return at;
        seen.add(at);
      }
      return undefined;
    },
    /** Going up from a record that goes, the first one that stays. */
    standing(name: string): string | null {
      const seen = new Set<string>();
      for (let at = parentOf(name); typeof at === 'string' && !seen.has(at); at = parentOf(at)) {
        if (byName.has(at) && !isGone(at)) return at;
        seen.add(at);
      }
      return null;
    },
  };
  return tree;
}

function timeOf(place: FilePlace | undefined): string | undefined {
  const { timestamp } = place?.record ?? {};
  return typeof timestamp === 'string' ? timestamp : undefined;
}

/** Where records are called by their number, a compaction that stays has to get the new number. */
function renumbered(
  { bytes, records }: FileLine,
  {
    shape,
    places,
    gone,
    added,
  }: { shape: Shape; places: readonly FilePlace[]; gone: ReadonlySet<number>; added: number },
): Buffer {
  const numbered = records.some((record) => shape.keptBy(record)?.index !== undefined);
  if (!numbered || !shape.renumber) return bytes;
  const before = places.find(({ record }) => record === records[0])!.index;
  // All records that go stand before the recent turns, and so does what it keeps: the distance is the same for both.
  const shift = before - added;
  return Buffer.from(shape.renumber(bytes.toString('utf8'), () => (gone.size > 0 ? shift : 0)));
}
