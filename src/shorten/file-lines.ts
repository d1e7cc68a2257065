import { type Fields, recordsIn } from '../transcripts/index.ts';

/** A line as it lies in the file. */
export interface FileLine {
  /** With its line break, if it has one. */
  readonly bytes: Buffer;
  /** The text of the line: usually one record, several where they are glued, none where it cannot be read. */
  readonly records: readonly Fields[];
}

/** The file, line by line. Together the bytes of the lines are the file again. */
export function splitFile(bytes: Buffer): FileLine[] {
  const lines: FileLine[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const to = end < 0 ? bytes.length : end + 1;
    const line = bytes.subarray(from, to);
    lines.push({ bytes: line, records: recordsIn(line.toString('utf8')) });
    from = to;
  }
  return lines;
}
