import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startChild, tempFolder } from './child.ts';

const linux = process.platform === 'linux';
// A small file system of one's own needs no root where user namespaces are allowed.
const namespaces = linux && spawnSync('unshare', ['-rm', 'true']).status === 0;

async function fillTheDisk(file: string, wrap: readonly string[]) {
  const child = startChild('fill-the-disk.ts', [file], { wrap });
  const end = await child.ended;
  const said = (fact: string) =>
    child.lines
      .filter((line) => line.startsWith(`${fact} `))
      .map((line) => JSON.parse(line.slice(fact.length + 1)));
  return { end, said };
}

describe.runIf(linux)('when the disk refuses', () => {
  it('says so, keeps what it could not write, and writes it in order once that works again', async () => {
    using folder = tempFolder();
    const { end, said } = await fillTheDisk(folder.file('store.db'), [
      'bash',
      '-c',
      'ulimit -S -f 1000; exec "$@"',
      '-',
    ]);
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(said('refused').map(({ unsaved }) => unsaved)).toEqual([1, 2, 3]);
    expect(said('refused')[0].message).toContain('is not being saved');
    expect(said('stored')[0]).toBeGreaterThan(10);
    expect(said('inOrder')).toEqual([true]);
    expect(said('problems')).toEqual([[]]);
  });

  it.runIf(namespaces)('names a full disk as such, and recovers when there is room again', async () => {
    using folder = tempFolder();
    const script = `mount -t tmpfs -o size=4m tmpfs "${folder.path}" && head -c 2m /dev/zero > "${folder.path}/ballast" && exec "$@"`;
    const { end, said } = await fillTheDisk(folder.file('store.db'), [
      'unshare',
      '-rm',
      'sh',
      '-c',
      script,
      '-',
    ]);
    expect(end).toMatchObject({ code: 0, stderr: '' });
    expect(new Set(said('refused').map(({ cause }) => cause))).toEqual(new Set(['store-full']));
    expect(said('inOrder')).toEqual([true]);
    expect(said('problems')).toEqual([[]]);
  });

  it.runIf(namespaces)('names a full disk to a search too, through every face, and finds again', async () => {
    using folder = tempFolder();
    const script = `mount -t tmpfs -o size=4m tmpfs "${folder.path}" && exec "$@"`;
    const wrap = ['unshare', '-rm', 'sh', '-c', script, '-'];
    const child = startChild('search-on-full-disk.ts', [folder.file('store.db')], { wrap });
    expect(await child.ended).toMatchObject({ code: 0, stderr: '' });
    expect(child.lines).toEqual([
      'library "store-full"',
      'rpc "store-full"',
      'cli "store-full"',
      'mcp "store-full"',
      'after "1 hits"',
    ]);
  });
});
