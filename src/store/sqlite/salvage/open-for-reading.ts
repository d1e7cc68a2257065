import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { ThroughlineError } from '../../../errors.ts';

export interface OpenFile {
  readonly size: number;
  /** Fewer bytes than asked for at the end of the file, and where the disk gives none. */
  readonly read: (start: number, length: number) => Uint8Array;
  close(): void;
}

export function openForReading(file: string): OpenFile {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch (cause) {
    const message = `Nothing can be salvaged from ${file}: ${(cause as Error).message}. Check the path and its permissions.`;
    throw new ThroughlineError('usage', message, { cause, details: { location: file } });
  }
  const stat = fstatSync(descriptor);
  if (!stat.isFile()) {
    closeSync(descriptor);
    throw new ThroughlineError('usage', `${file} is not a file, so nothing can be salvaged from it.`);
  }
  return {
    size: stat.size,
    read(start, length) {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stat.size - start)));
      let done = 0;
      while (done < bytes.length) {
        const got = tryRead(descriptor, bytes, { done, position: start + done });
        if (got === 0) break;
        done += got;
      }
      return bytes.subarray(0, done);
    },
    close: () => closeSync(descriptor),
  };
}

/** A bad sector is no reason to stop: the page it is in is lost, the others are not. */
function tryRead(descriptor: number, bytes: Buffer, at: { done: number; position: number }): number {
  try {
    return readSync(descriptor, bytes, at.done, bytes.length - at.done, at.position);
  } catch {
    return 0;
  }
}
