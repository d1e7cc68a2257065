import { expect, it } from 'vitest';
import {
  archiveOriginal,
  openGitBranch,
  restoreOriginal,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { file } from '../branch-contract.ts';
import { killingGit } from '../killing-git.ts';
import { createRepository } from '../repository.ts';

const BRANCH = 'session-archive';
const SECRET = 'the blue parrot sings';

async function filled() {
  const repository = createRepository();
  const branch = await openGitBranch(repository.gitDir, BRANCH);
  await archiveOriginal(branch, file('clean.jsonl', '"a"\n'));
  for (const text of [`"${SECRET}"\n`, `"${SECRET}"\n"more"\n`])
    await archiveOriginal(branch, file('talk.jsonl', text));
  return repository;
}

it('is scrubbed as a whole or not at all when the process dies before or after any command of git', async () => {
  using first = await filled();
  const { run, calls } = killingGit(first.root, 'test/transcripts/archive/scrub-child.ts');
  expect(run([first.gitDir, BRANCH, SECRET])).toBe(true);
  const count = calls();
  expect(count).toBeGreaterThan(10);
  let killed = 0;
  for (let n = 1; n <= count; n++) {
    for (const when of ['KILL_BEFORE', 'KILL_AFTER']) {
      using repository = await filled();
      const before = repository.state();
      if (!run([repository.gitDir, BRANCH, SECRET], { [when]: String(n) })) killed++;
      const branch = await openGitBranch(repository.gitDir, BRANCH);
      const { bytes } = await restoreOriginal(branch, 'talk.jsonl');
      expect([`"${SECRET}"\n"more"\n`, '"[secret-1 named]"\n"more"\n']).toContain(bytes.toString());
      expect((await verifyArchive(branch)).map(({ state }) => state)).not.toContain('damaged');
      expect(repository.git('fsck', '--strict')).not.toMatch(/error|missing/);
      expect(run([repository.gitDir, BRANCH, SECRET])).toBe(true);
      expect((await restoreOriginal(branch, 'clean.jsonl')).bytes.toString()).toBe('"a"\n');
      expect(repository.allObjects().includes(SECRET)).toBe(false);
      expect(repository.state()).toEqual(before);
    }
  }
  // When copies are packed depends on the room they take of the disk, which it says only once it has written them.
  expect(killed).toBeGreaterThanOrEqual(2 * (count - 4));
}, 900_000);
