import type { Entry } from '../record/index.ts';
import { countText } from '../tokens/index.ts';
import { transcriptText } from './transcript-text.ts';

/** Entries that a model reads at once. */
export interface Chunk {
  readonly entries: Entry[];
  /** As text, in no more tokens than there is room for. */
  readonly transcript: string;
}

/** How much of one entry is read, in characters, if there is room. */
const LONGEST = 24_000;

/** Whole entries in their order, as many at once as fit; one that is too long alone is cut to its start and end. */
export function chunkEntries(entries: readonly Entry[], room: number): Chunk[] {
  const chunks: { entries: Entry[]; texts: string[] }[] = [];
  let left = 0;
  for (const entry of entries) {
    const text = textWithin(entry, room);
    const tokens = countText(text) + JOINT;
    if (tokens > left || chunks.length === 0) {
      chunks.push({ entries: [], texts: [] });
      left = room;
    }
    chunks.at(-1)!.entries.push(entry);
    chunks.at(-1)!.texts.push(text);
    left -= tokens;
  }
  return chunks.map(({ entries, texts }) => ({ entries, transcript: texts.join('\n\n') }));
}

/** Tokens between two entries. */
const JOINT = 2;

function textWithin(entry: Entry, room: number): string {
  for (let longest = Math.min(LONGEST, room * 4); ; longest = Math.floor(longest / 2)) {
    const text = transcriptText([entry], { longest });
    if (longest < 16 || countText(text) <= room / 2) return text;
  }
}
