// Scrubs an archive and deletes what is left of its past; the test kills it on the way.
import { openGitBranch, pruneScrubbed, scrubArchive } from '../../src/archive/index.ts';
import { lookFor } from '../../src/secrets/index.ts';

const [, , gitDir = '', name = '', secret = ''] = process.argv;
const branch = await openGitBranch(gitDir, name);
await scrubArchive(branch, { find: lookFor({ texts: [secret] }) });
await pruneScrubbed(branch);
