import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { ArchiveBranch, GitBranch } from '../../transcripts/archive/index.ts';
import type { Machine } from '../app.ts';
import { refused } from '../refused.ts';

export const ARCHIVE_BRANCH = 'throughline-archive';

/** The archive that an operation is about. */
export const PlaceFields = {
  repo: z.string().optional().describe('The git repository; the one around the folder unless given.'),
  branch: z.string().optional().describe(`The branch; \`${ARCHIVE_BRANCH}\` unless given.`),
  github: z.string().optional().describe('`owner/name` of a repository at GitHub, by its API.'),
  folder: z.string().describe('The folder that the repository is looked for around.'),
};
const Place = z.object(PlaceFields);
export type ArchiveTarget = z.output<typeof Place>;

/** The words that vaults are locked with; without them a vault is as safe as the account. */
export function vaultKey({ env }: Pick<Machine, 'env'>): string | undefined {
  return env.THROUGHLINE_VAULT_KEY || undefined;
}

/** The archive at GitHub that is named, or the one near the folder. */
export async function openArchive(
  place: ArchiveTarget,
  { env }: Pick<Machine, 'env'>,
): Promise<ArchiveBranch> {
  if (place.github === undefined) return openGitArchive(place, { env });
  if (place.repo !== undefined)
    throw refused('usage', 'An archive is in a repository here or at GitHub, not in both.');
  const { GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL } = env;
  const token = GITHUB_TOKEN || GH_TOKEN;
  if (!token)
    throw refused(
      'usage',
      'GitHub wants to know who writes: set GITHUB_TOKEN to a token that may write contents.',
    );
  const { openGitHubBranch } = await import('../../transcripts/archive/index.ts');
  return openGitHubBranch({
    api: GITHUB_API_URL || 'https://api.github.com',
    token,
    repository: place.github,
    branch: place.branch ?? ARCHIVE_BRANCH,
    vault: path.join(ownFolder(env), 'vault'),
  });
}

export async function openGitArchive(
  { repo, branch, github, folder }: ArchiveTarget,
  { env }: Pick<Machine, 'env'>,
): Promise<GitBranch> {
  if (github !== undefined) throw refused('usage', 'What is at GitHub need not be pushed there.');
  const { findRepository, openGitBranch } = await import('../../transcripts/archive/index.ts');
  const own = path.join(ownFolder(env), 'archive.git');
  const gitDir = await findRepository({ folder, own, ...(repo !== undefined && { repo }) });
  return openGitBranch(gitDir, branch ?? ARCHIVE_BRANCH);
}

function ownFolder({ HOME }: Machine['env']): string {
  return path.join(HOME || homedir(), '.throughline');
}
