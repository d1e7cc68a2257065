import { type FileHandle, open, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { TranscriptSource } from '../transcript.ts';

const CHUNK = 256 * 1024;
/** A file that is followed is quiet when nothing has come for so long. */
const QUIET_MS = 1500;

interface OpenSourceOptions {
  /** Goes on when the file grows, until it is aborted. Otherwise the end of the file is the end. */
  readonly follow?: AbortSignal;
  readonly onBytes?: (bytes: number) => void;
  readonly home?: string;
}

/** A file as a source. It is read as it is consumed, in chunks that are used again: copy what you keep. */
export async function openSource(
  file: string,
  { follow, onBytes, home }: OpenSourceOptions = {},
): Promise<TranscriptSource> {
  const { mtimeMs } = await stat(file);
  return {
    name: path.basename(file),
    path: file,
    ...(home !== undefined && { home }),
    folder: path.basename(path.dirname(path.resolve(file))),
    changedAt: Math.max(0, Math.floor(mtimeMs)),
    async *chunks() {
      await using handle = await open(file, 'r');
      // While one buffer is worked on the other is filled.
      const buffers = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)] as const;
      const fill = (turn: number, from: number) => handle.read(buffers[turn % 2]!, 0, CHUNK, from);
      let position = 0;
      let filling = fill(0, 0);
      try {
        for (let turn = 0; ; ) {
          const { bytesRead } = await filling;
          position += bytesRead;
          if (bytesRead > 0) {
            filling = fill(turn + 1, position);
            onBytes?.(bytesRead);
            yield buffers[turn++ % 2]!.subarray(0, bytesRead);
          } else {
            // A reply comes line by line: one that is still being written is not given up at once.
            const soon =
              follow && (await waitForGrowth(handle, position, { signal: follow, patienceMs: QUIET_MS }));
            if (soon !== 'grown') yield null;
            if (!follow || soon === 'over') return;
            if (soon === 'quiet' && (await waitForGrowth(handle, position, { signal: follow })) === 'over')
              return;
            filling = fill(turn, position);
          }
        }
      } finally {
        await filling.catch(() => {});
      }
    },
    beside: (name) => readBeside(path.join(path.dirname(file), name)),
  };
}

/** Text as a source, for tests and for text in memory. */
export function textSource(
  text: string | Uint8Array,
  { name = 'text', folder = '', changedAt = 0, beside = {} as Readonly<Record<string, string>> } = {},
): TranscriptSource {
  return {
    name,
    folder,
    changedAt,
    async *chunks() {
      yield typeof text === 'string' ? Buffer.from(text) : text;
      yield null;
    },
    beside: async (other) => beside[other],
  };
}

async function readBeside(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
    throw error;
  }
}

const LOOK_MS = 200;

interface Waiting {
  readonly signal: AbortSignal;
  /** How long to wait at most; for ever if not given. */
  readonly patienceMs?: number;
}

/** Waits until an open file is longer than `size`. `over`: it was cut or removed, or the wait was given up. */
async function waitForGrowth(
  handle: FileHandle,
  size: number,
  { signal, patienceMs = Number.POSITIVE_INFINITY }: Waiting,
): Promise<'grown' | 'quiet' | 'over'> {
  const deadline = performance.now() + patienceMs;
  while (!signal.aborted) {
    const now = await handle.stat();
    if (now.size > size) return 'grown';
    if (now.size < size || now.nlink === 0) return 'over';
    if (performance.now() >= deadline) return 'quiet';
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
  return 'over';
}
