import { isInteger, readColumns, readInteger } from './decode-record.ts';
import { type Payload, readUint32 } from './parse-cell.ts';

/** The serial type of 16 bytes. No other index of ours begins with a value of that size. */
const ENTRY_ID = 44;

/** The session key and the seq in a cell of the index of entry ids; `undefined` for cells of other indexes. */
export function readIndexedPosition(
  page: Uint8Array,
  { start, local, length }: Payload,
): { key: number; seq: number } | undefined {
  const record = page.subarray(start, start + local);
  const columns = local === length ? readColumns(record, length) : undefined;
  const [id, session, position] = columns ?? [];
  if (columns?.length !== 3 || id?.type !== ENTRY_ID || !isInteger(session!) || !isInteger(position!)) {
    return undefined;
  }
  const key = readInteger(record, session!);
  // The lower half of the position; as a whole it may be more than a number can hold.
  const seq = position!.size < 4 ? 0 : readUint32(record, position!.start + position!.size - 4);
  return key > 0 && seq > 0 ? { key, seq } : undefined;
}
