import { describe, expect, it } from 'vitest';
import {
  listArchive,
  openGitBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { killingGit } from '../killing-git.ts';
import { createRepository } from '../repository.ts';

const BRANCH = 'session-archive';

describe('an archive', () => {
  it('ends in the same archive when the process dies before or after any command of git', async () => {
    using repository = createRepository();
    const { run, calls } = killingGit(repository.root, 'test/transcripts/archive/archive-child.ts');
    const before = repository.state();
    run([repository.gitDir, BRANCH]);
    const count = calls();
    expect(count).toBeGreaterThan(8);
    for (let n = 1; n <= count; n++) {
      for (const when of ['KILL_BEFORE', 'KILL_AFTER']) {
        using bare = createRepository({ bare: true });
        expect(run([bare.gitDir, BRANCH], { [when]: String(n) })).toBe(false);
        const branch = await openGitBranch(bare.gitDir, BRANCH);
        const half = await verifyArchive(branch);
        expect(half.every(({ state }) => state === 'whole')).toBe(true);
        expect(run([bare.gitDir, BRANCH])).toBe(true);
        expect((await listArchive(branch)).map(({ path: at }) => at)).toEqual(['archived-sessions/s.jsonl']);
        expect((await restoreOriginal(branch, 's.jsonl')).whole).toBe(true);
      }
    }
    expect(repository.state()).toEqual(before);
  }, 600_000);
});
