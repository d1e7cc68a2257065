// Shortens one file with a real archive, and dies at the step it is told.
import { archiveOriginal, openGitBranch } from '../../../src/transcripts/archive/index.ts';
import { compactFile } from '../../../src/transcripts/shorten/index.ts';

const [, , file = '', gitDir = '', branch = '', dieAt = ''] = process.argv;
const done = await compactFile(file, {
  maxLines: 30,
  keepTurns: 4,
  archive: async (original) =>
    archiveOriginal(await openGitBranch(gitDir, branch), original, { vault: true }),
  onStep: (step) => {
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
process.stdout.write(done.outcome);
