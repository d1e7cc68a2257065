import { type Entry, type EntryId, SUMMARY_LISTS, type Summary, summaryIn } from '../../record/index.ts';
import {
  findFigures,
  findIdentifiers,
  findUrls,
  piecesOfEntries,
  type Reading,
  toolActions,
} from '../../text/index.ts';
import { findCode, findNames } from './find-names.ts';

/** Something that cannot be guessed once it is gone. */
export interface HardItem {
  readonly kind: 'path' | 'identifier' | 'figure' | 'name';
  readonly text: string;
  /** Where it was last mentioned. */
  readonly entry: EntryId;
  readonly mentions: number;
}

const MOST: Readonly<Record<HardItem['kind'], number>> = {
  path: 400,
  identifier: 300,
  figure: 300,
  name: 300,
};
const FOUND_IN_TEXT = [
  ['identifier', findIdentifiers],
  ['identifier', findUrls],
  ['identifier', findCode],
  ['figure', findFigures],
  ['name', findNames],
] as const;

/**
 * The paths, identifiers, figures and names of a range: in messages, in inputs of tools, and in older summaries of the range.
 * What tools returned is left out: it is data, and can be had again. Most often mentioned first, then oldest first; at most a
 * few hundred of each kind.
 */
export function hardItems(entries: readonly Entry[]): HardItem[] {
  const readings = piecesOfEntries(entries);
  const found = new Map<string, HardItem>();
  const add = (kind: HardItem['kind'], text: string, entry: EntryId) => {
    const key = `${kind} ${text.toLowerCase()}`;
    const mentions = (found.get(key)?.mentions ?? 0) + 1;
    found.set(key, { kind, text: found.get(key)?.text ?? text, entry, mentions });
  };
  for (const reading of readings) {
    const { id } = reading.entry;
    for (const path of pathsIn(reading)) add('path', path, id);
    for (const text of spokenIn(reading)) {
      for (const [kind, find] of FOUND_IN_TEXT) for (const item of find(text)) add(kind, item, id);
    }
  }
  const items = [...found.values()].sort((a, b) => b.mentions - a.mentions);
  const counts = new Map<string, number>();
  return items.filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MOST[kind];
  });
}

function pathsIn({ entry, pieces }: Reading): string[] {
  const held = summaryIn(entry.body);
  if (held) return held.files.map(({ path }) => path);
  return pieces.flatMap((piece) => {
    if (piece.kind !== 'call') return [];
    const { files } = toolActions(piece.tool, piece.input);
    return files.filter(({ operation }) => operation !== 'searched').map(({ path }) => path);
  });
}

function spokenIn({ entry, pieces }: Reading): string[] {
  const held = summaryIn(entry.body);
  if (held) return linesOf(held);
  return pieces.flatMap((piece) => (piece.kind === 'said' ? [piece.text] : []));
}

function linesOf(summary: Summary): string[] {
  const lines = SUMMARY_LISTS.filter((list) => list !== 'topics').flatMap((list) => summary[list] ?? []);
  return [summary.overview, ...lines.map(({ text }) => text), summary.foreign ?? ''];
}
