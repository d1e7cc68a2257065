import type { Source } from './open-source.ts';
import { type Payload, readUint32 } from './parse-cell.ts';

export interface ReadPayload {
  /** Absent when the chain of overflow pages breaks off, runs in a circle or leads out of the file. */
  readonly bytes?: Uint8Array;
  /** The overflow pages that were reached. */
  readonly pages: readonly number[];
}

/** All bytes of a record. `page` is the image its cell is in; `taken` tells of pages that belong to another one. */
export function readPayload(
  source: Pick<Source, 'latest' | 'usable' | 'pageCount'>,
  page: Uint8Array,
  { payload, taken = () => false }: { payload: Payload; taken?: (page: number) => boolean },
): ReadPayload {
  const { start, local, length, overflow } = payload;
  const first = page.subarray(start, start + local);
  if (local === length) return { bytes: first, pages: [] };
  if (length > source.pageCount * source.usable) return { pages: [] };
  const chunks = [first];
  const pages = new Set<number>();
  let left = length - local;
  for (let next = overflow; left > 0; ) {
    // A chain that claims a page twice, or one that is not its own, would never end or end in the wrong text.
    if (next < 2 || next > source.pageCount || pages.has(next) || taken(next)) return { pages: [...pages] };
    const bytes = source.latest(next);
    if (!bytes) return { pages: [...pages] };
    pages.add(next);
    const size = Math.min(left, source.usable - 4);
    chunks.push(bytes.subarray(4, 4 + size));
    left -= size;
    next = readUint32(bytes, 0);
  }
  return { bytes: Buffer.concat(chunks, length), pages: [...pages] };
}
