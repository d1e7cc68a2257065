// Archives one file; the test kills it on the way.
import { archiveOriginal, openGitBranch } from '../../../src/transcripts/archive/index.ts';

const [, , gitDir = '', name = ''] = process.argv;
const branch = await openGitBranch(gitDir, name);
const bytes = Buffer.from(`{"said":"ghp_${'Ab1'.repeat(12)}"}\n`);
await archiveOriginal(branch, { name: 's.jsonl', kind: 'file', bytes }, { vault: true });
