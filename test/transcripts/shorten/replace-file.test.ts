import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { writeFiles } from '../../../src/operations/write-files.ts';
import { thisProcess } from '../../../src/session/index.ts';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';
import { holdFile, replaceFile } from '../../../src/transcripts/shorten/replace-file.ts';
import { createFolder } from './folder.ts';
import { longPi } from './long-files.ts';

const SETTINGS = { maxLines: 30, keepTurns: 4 };

afterEach(() => void vi.restoreAllMocks());

/** A disk that takes and gives at most three bytes at a time. */
async function onSlowDisk(file: string): Promise<void> {
  await using handle = await open(file, 'r');
  const prototype = Object.getPrototypeOf(handle) as FileHandle;
  const { write, read } = prototype;
  vi.spyOn(prototype, 'write').mockImplementation(function (this: FileHandle, data: unknown) {
    return Reflect.apply(write, this, [data, 0, 3]);
  } as never);
  vi.spyOn(prototype, 'read').mockImplementation(function (this: FileHandle, ...args: unknown[]) {
    const [bytes, offset, length, position] = args as [Buffer, number, number, number];
    return Reflect.apply(read, this, [bytes, offset, Math.min(3, length), position]);
  } as never);
}

describe('a file that is replaced', () => {
  it('is whole where a write takes only a part', async () => {
    using place = createFolder('old\n');
    await onSlowDisk(place.file);
    const onStep = (step: string) => {
      if (step === 'drafted') appendFileSync(place.file, 'at the last moment\n');
    };
    const old = Buffer.from('old\n');
    appendFileSync(place.file, 'meanwhile, and more than that\n');
    const done = await replaceFile(place.file, { old, content: Buffer.from('new and longer\n'), onStep });
    expect(place.read()).toBe('new and longer\nmeanwhile, and more than that\nat the last moment\n');
    expect(done.arrived).toBe(49);
    const out = path.join(place.folder, 'out.txt');
    const pieces = async function* () {
      yield { file: 'out.txt', text: 'a first piece, ' };
      yield { file: 'out.txt', text: Buffer.from('and a second one\n') };
    };
    await writeFiles(pieces(), { out, force: false, several: false });
    expect(readFileSync(out, 'utf8')).toBe('a first piece, and a second one\n');
  });

  it('may be read by whom it could be read by before, whatever the umask', async () => {
    using place = createFolder(longPi());
    chmodSync(place.file, 0o666);
    const before = process.umask(0o077);
    try {
      await compactFile(place.file, { ...SETTINGS, archive: place.archive });
    } finally {
      process.umask(before);
    }
    expect(statSync(place.file).mode & 0o777).toBe(0o666);
  });

  it('is what a link leads to, and the link stays one', async () => {
    using place = createFolder(longPi());
    const link = path.join(place.folder, 'link.jsonl');
    symlinkSync('session.jsonl', link);
    const done = await compactFile(link, { ...SETTINGS, archive: place.archive });
    expect(done).toMatchObject({ outcome: 'shortened', file: link });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(place.read().length).toBeLessThan(longPi().length);
    expect(place.others()).toEqual(['link.jsonl']);
  });
});

describe('holding a file', () => {
  const lockOf = (folder: string) => path.join(folder, '.session.jsonl.throughline-lock');
  const dead = () => JSON.stringify({ ...thisProcess('x'), pid: spawnSync('true').pid });

  it('takes over from a dead process, one of many', async () => {
    using place = createFolder('');
    writeFileSync(lockOf(place.folder), dead());
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => holdFile(place.file)));
    const held = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(held).toHaveLength(1);
    for (const one of tries)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'transcript-busy' });
    await held[0]![Symbol.asyncDispose]();
    expect(place.others()).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('leaves nothing behind where the disk takes nothing', () => {
    using place = createFolder('');
    const child = new URL('hold-child.ts', import.meta.url).pathname;
    const script = 'ulimit -S -f 0; exec "$@"';
    const { status } = spawnSync('bash', ['-c', script, '-', process.execPath, child, place.file]);
    expect(status).toBe(27);
    expect(place.others()).toEqual([]);
  });

  it('gets a file that is let go again and again', async () => {
    using place = createFolder('');
    for (let n = 0; n < 50; n++) {
      const held = await holdFile(place.file);
      const next = holdFile(place.file).catch((error: unknown) => error);
      await held[Symbol.asyncDispose]();
      const outcome = await next;
      if (outcome instanceof Error)
        expect(outcome).toMatchObject({ code: 'transcript-busy', message: /process/ });
      else await (outcome as AsyncDisposable)[Symbol.asyncDispose]();
    }
    expect(place.others()).toEqual([]);
  });
});
