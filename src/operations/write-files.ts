import { createHash, type Hash, randomBytes } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ThroughlineError } from '../errors.ts';
import { refused } from './refused.ts';

export const WrittenFile = z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() });
export type WrittenFile = z.output<typeof WrittenFile>;

interface WriteFilesOptions {
  /** A file, or a folder if it is one, ends like one, or several files go there. */
  readonly out: string;
  readonly force: boolean;
  readonly several: boolean;
  /** The error about a file that is there already, where there is neither another name nor force. */
  readonly taken?: (file: string) => ThroughlineError;
}

/** Writes pieces of files as they come. A file appears under its name once it is whole; existing files are not replaced. */
export async function writeFiles(
  pieces: AsyncIterable<{ readonly file: string; readonly text: string | Uint8Array }>,
  { out, force, several, taken = isTaken }: WriteFilesOptions,
): Promise<WrittenFile[]> {
  const isFolder = several || /[\\/]$/.test(out) || (existsSync(out) && statSync(out).isDirectory());
  const files: WrittenFile[] = [];
  let current: { name: string; draft: Draft } | undefined;

  async function finish(): Promise<void> {
    if (current) files.push(await current.draft.finish());
    current = undefined;
  }

  try {
    for await (const { file, text } of pieces) {
      if (current?.name !== file) {
        await finish();
        const target = isFolder ? path.join(out, file) : out;
        if (!force && existsSync(target)) throw taken(target);
        current = { name: file, draft: await startDraft(target) };
      }
      await current.draft.write(text);
    }
    await finish();
  } catch (error) {
    await current?.draft.abandon();
    throw error;
  }
  return files;
}

interface Draft {
  write(text: string | Uint8Array): Promise<void>;
  finish(): Promise<WrittenFile>;
  abandon(): Promise<void>;
}

function isTaken(file: string): ThroughlineError {
  return refused('usage', `${file} is there already.`, { taken: file });
}

async function startDraft(target: string): Promise<Draft> {
  await mkdir(path.dirname(path.resolve(target)), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  const handle: FileHandle = await open(temporary, 'wx', 0o600);
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  return {
    async write(text) {
      const data = typeof text === 'string' ? Buffer.from(text) : text;
      hash.update(data);
      bytes += data.length;
      // All of it, from where the last piece ended; one write may take less.
      await handle.writeFile(data);
    },
    async finish() {
      await handle.sync();
      await handle.close();
      await rename(temporary, target);
      return { path: path.resolve(target), bytes, sha256: hash.digest('hex') };
    },
    async abandon() {
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}
