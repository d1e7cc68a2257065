// Scrubs an archive and deletes what is left of its past; the test kills it on the way.

import { lookFor } from '../../../src/text/secrets/index.ts';
import { openGitBranch, pruneScrubbed, scrubArchive } from '../../../src/transcripts/archive/index.ts';

const [, , gitDir = '', name = '', secret = ''] = process.argv;
const branch = await openGitBranch(gitDir, name);
await scrubArchive(branch, { find: lookFor({ texts: [secret] }) });
await pruneScrubbed(branch);
