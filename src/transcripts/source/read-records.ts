import type { DamageKind, TranscriptSource } from '../transcript.ts';
import { readLines } from './read-lines.ts';
import { type Fields, parseObject, recoverLine } from './recover-line.ts';

/** One record of a file of lines, in order. */
export type SourceItem =
  | RecordItem
  | FragmentItem
  | { readonly damage: DamageKind }
  | { readonly quiet: true };

export interface RecordItem {
  readonly value: Fields;
  /** As it stood in the file. */
  readonly text: string;
  /** Counts records and fragments from 0. */
  readonly n: number;
  /** Zeros or a line break were taken out of it, so it may differ from the written text. */
  readonly mended?: true;
}

/** Text in the middle of the file that is no record. */
export interface FragmentItem {
  readonly fragment: string;
  readonly n: number;
}

/** A record that is spread over more lines than this is torn. */
const MOST_JOINED = 64;

/**
 * Reads a file with one JSON object per line, and everything that can be read of a damaged one. A half line at the very
 * end is reported and left alone: its other half may be written yet.
 */
export async function* readRecords(
  source: TranscriptSource,
  { isRecord }: { isRecord: (value: Fields) => boolean },
): AsyncGenerator<readonly SourceItem[]> {
  const splitter = createSplitter(isRecord);
  let rest: string | undefined;
  for await (const batch of readLines(source)) {
    const items: SourceItem[] = [];
    for (const line of batch.lines) splitter.take(line, items);
    if (batch.notUtf8) items.push({ damage: 'not-utf8' });
    rest = undefined;
    if (batch.quiet) {
      rest = batch.rest?.text;
      if (rest !== undefined && parseObject(rest)) {
        splitter.take(rest, items);
        batch.rest!.take();
        rest = undefined;
      }
      items.push({ quiet: true });
    }
    if (items.length > 0) yield items;
  }
  const items: SourceItem[] = [];
  splitter.end(items, rest);
  if (items.length > 0) yield items;
}

function createSplitter(isRecord: (value: Fields) => boolean) {
  let n = 0;
  /** A line that starts like a record and does not end: `raw` as it stood, `text` with the line breaks escaped. */
  let open: { raw: string; text: string; lines: number } | undefined;

  function giveUp(items: SourceItem[]): void {
    if (!open) return;
    items.push({ damage: 'torn' }, { fragment: open.raw, n: n++ });
    open = undefined;
  }

  function take(line: string, items: SourceItem[]): void {
    if (line === '' || line === '\r') return;
    const value = parseObject(line);
    if (value) {
      giveUp(items);
      items.push({ value, text: line, n: n++ });
    } else if (line.trim() !== '') mend(line, items);
  }

  function mend(line: string, items: SourceItem[], growing = false): void {
    if (open) {
      const joined = {
        raw: `${open.raw}\n${line}`,
        text: `${open.text}\\n${line.replace(/\r$/, '')}`,
        lines: open.lines + 1,
      };
      const value = parseObject(joined.text);
      if (value) {
        items.push({ damage: 'broken-line' }, { value, text: joined.raw, n: n++, mended: true });
        open = undefined;
        return;
      }
      const { pieces } = recoverLine(line, isRecord, { growing });
      if (joined.lines < MOST_JOINED && !pieces.some((piece) => piece.value && isRecord(piece.value))) {
        open = joined;
        return;
      }
      giveUp(items);
    }
    const { pieces, damage } = recoverLine(line, isRecord, { growing });
    for (const what of damage) items.push({ damage: what });
    const mended = damage.includes('nul') && { mended: true as const };
    for (const piece of pieces) {
      if (piece.value) items.push({ value: piece.value, text: piece.text, n: n++, ...mended });
      else if (piece.open) open = { raw: piece.text, text: piece.text, lines: 1 };
      else items.push({ fragment: piece.text, n: n++ });
    }
  }

  return {
    take,
    end(items: SourceItem[], rest: string | undefined): void {
      if (rest === undefined) {
        giveUp(items);
        return;
      }
      const before = items.length;
      mend(rest, items, true);
      const last = items.at(-1);
      // A torn line at the very end may be finished yet, so it is reported and not kept.
      if (items.length > before && last && 'fragment' in last) items.pop();
      if (open) items.push({ damage: 'torn' });
    },
  };
}
