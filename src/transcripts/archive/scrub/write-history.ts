import { randomBytes } from 'node:crypto';
import { gitText, runGit } from '../git/run-git.ts';

/** A commit to be made, in place of one that was there. */
export interface NewCommit {
  readonly author: string;
  readonly committer: string;
  readonly message: string;
  readonly changes: readonly NewChange[];
}

export interface NewChange {
  readonly path: string;
  /** An object that is there, new bytes, or nothing for a file that is taken away. */
  readonly blob: string | Buffer | undefined;
}

/** Makes commits on top of one another, and gives the last one. No branch or tag is moved by that. */
export async function writeHistory(
  git: readonly string[],
  base: string | undefined,
  commits: AsyncIterable<NewCommit>,
): Promise<string> {
  const ref = `refs/throughline/scrub-${randomBytes(6).toString('hex')}`;
  try {
    // One pack, whatever their number, so that it can be packed again with the rest.
    const how = ['-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--done'];
    await runGit([...git, ...how, '--date-format=raw-permissive'], { input: stream(ref, base, commits) });
    return await gitText([...git, 'rev-parse', '--verify', ref]);
  } finally {
    await runGit([...git, 'update-ref', '-d', ref]);
  }
}

async function* stream(
  ref: string,
  base: string | undefined,
  commits: AsyncIterable<NewCommit>,
): AsyncGenerator<Buffer> {
  let from = base;
  for await (const { author, committer, message, changes } of commits) {
    const head = [`commit ${ref}`, ...(author ? [`author ${author}`] : []), `committer ${committer}`];
    yield Buffer.concat([Buffer.from(`${head.join('\n')}\n`), data(Buffer.from(message))]);
    if (from !== undefined) yield Buffer.from(`from ${from}\n`);
    from = undefined;
    for (const { path, blob } of changes) {
      if (blob === undefined) yield Buffer.from(`D ${quoted(path)}\n`);
      else if (typeof blob === 'string') yield Buffer.from(`M 100644 ${blob} ${quoted(path)}\n`);
      else yield Buffer.concat([Buffer.from(`M 100644 inline ${quoted(path)}\n`), data(blob)]);
    }
    yield Buffer.from('\n');
  }
  yield Buffer.from('done\n');
}

function data(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]);
}

function quoted(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
