import type { Found, Reader, TranscriptSource } from '../transcript.ts';
import { type FragmentItem, type RecordItem, readRecords } from './read-records.ts';
import type { Fields } from './recover-line.ts';

/** Turns the records of a file of lines into what they say, one after the other. */
export interface Converter {
  record(item: RecordItem, found: Found[]): void;
  fragment(item: FragmentItem, found: Found[]): void;
  /** There is nothing more for now: gives held-back records. */
  settle(found: Found[]): void;
}

/** A reader of a format that is a file of lines. Damage is counted here and never reaches the converter. */
export function lineReader(
  isRecord: (value: Fields) => boolean,
  createConverter: (source: TranscriptSource) => Converter,
): Reader {
  return async function* (source) {
    const converter = createConverter(source);
    for await (const items of readRecords(source, { isRecord })) {
      const found: Found[] = [];
      for (const item of items) {
        if ('value' in item) converter.record(item, found);
        else if ('fragment' in item) converter.fragment(item, found);
        else if ('damage' in item) found.push({ kind: 'damage', what: item.damage });
        else {
          converter.settle(found);
          found.push({ kind: 'quiet' });
        }
      }
      yield found;
    }
    const found: Found[] = [];
    converter.settle(found);
    yield found;
  };
}
