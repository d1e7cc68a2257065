import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listArchive, openGitBranch, restoreOriginal, verifyArchive } from '../../../src/archive/index.ts';
import { createRepository } from '../repository.ts';

const BRANCH = 'session-archive';

describe('an archive', () => {
  it('ends in the same archive when the process dies before or after any command of git', async () => {
    using repository = createRepository();
    const calls = path.join(repository.root, 'calls');
    const bin = path.join(repository.root, 'bin');
    mkdirSync(bin);
    const real = execFileSync('which', ['git']).toString().trim();
    // A git that counts, and kills whoever called it before or after the one it is told.
    const shim = `#!/bin/sh
echo x >> ${calls}
n=$(wc -l < ${calls})
[ "$n" = "$KILL_BEFORE" ] && kill -9 $PPID && exit 1
${real} "$@"
code=$?
[ "$n" = "$KILL_AFTER" ] && kill -9 $PPID
exit $code
`;
    writeFileSync(path.join(bin, 'git'), shim);
    chmodSync(path.join(bin, 'git'), 0o755);
    const script = path.resolve('test/archive/archive-child.ts');
    const run = (folder: string, env: Record<string, string>) => {
      writeFileSync(calls, '');
      try {
        execFileSync(process.execPath, [script, folder, BRANCH], {
          env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...env },
          stdio: 'pipe',
        });
        return true;
      } catch (error) {
        if ((error as { signal?: string }).signal === 'SIGKILL') return false;
        throw error;
      }
    };
    const before = repository.state();
    run(repository.gitDir, {});
    const count = readFileSync(calls, 'utf8').length / 2;
    expect(count).toBeGreaterThan(8);
    for (let n = 1; n <= count; n++) {
      for (const when of ['KILL_BEFORE', 'KILL_AFTER']) {
        using bare = createRepository({ bare: true });
        expect(run(bare.gitDir, { [when]: String(n) })).toBe(false);
        const branch = await openGitBranch(bare.gitDir, BRANCH);
        const half = await verifyArchive(branch);
        expect(half.every(({ state }) => state === 'whole')).toBe(true);
        expect(run(bare.gitDir, {})).toBe(true);
        expect((await listArchive(branch)).map(({ path: at }) => at)).toEqual(['archived-sessions/s.jsonl']);
        expect((await restoreOriginal(branch, 's.jsonl')).whole).toBe(true);
      }
    }
    expect(repository.state()).toEqual(before);
  }, 120_000);
});
