import { homedir } from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import type { ArchiveBranch, GitBranch } from '../archive/index.ts';
import { usageError } from './usage-error.ts';

/** Which archive a command is about. */
export interface ArchivePlace {
  readonly repo?: string;
  readonly branch?: string;
  readonly github?: string;
}

/** What vaults are locked with; without it they are as safe as the account. */
export function vaultKey(): string | undefined {
  return process.env.THROUGHLINE_VAULT_KEY || undefined;
}

const ARCHIVE_BRANCH = 'throughline-archive';

export function withArchiveOptions(command: Command): Command {
  return command
    .option('--repo <folder>', 'the git repository (default: the one around, or ~/.throughline/archive.git)')
    .option('--branch <name>', `the branch (default: ${ARCHIVE_BRANCH})`)
    .option('--github <owner/name>', "a repository at GitHub, by its API; the token is GITHUB_TOKEN's");
}

/** The archive that is meant, near a folder if nobody says which. */
export async function openArchive(place: ArchivePlace, folder: string): Promise<ArchiveBranch> {
  if (place.github === undefined) return openGitArchive(place, folder);
  if (place.repo !== undefined)
    throw usageError('An archive is in a repository here or at GitHub, not in both.');
  const { GITHUB_TOKEN, GH_TOKEN, GITHUB_API_URL } = process.env;
  const token = GITHUB_TOKEN || GH_TOKEN;
  if (!token)
    throw usageError('GitHub wants to know who writes: set GITHUB_TOKEN to a token that may write contents.');
  const { openGitHubBranch } = await import('../archive/index.ts');
  return openGitHubBranch({
    api: GITHUB_API_URL || 'https://api.github.com',
    token,
    repository: place.github,
    branch: place.branch ?? ARCHIVE_BRANCH,
    vault: path.join(ownFolder(), 'vault'),
  });
}

export async function openGitArchive(
  { repo, branch, github }: ArchivePlace,
  folder: string,
): Promise<GitBranch> {
  if (github !== undefined) throw usageError('What is at GitHub need not be pushed there.');
  const { findRepository, openGitBranch } = await import('../archive/index.ts');
  const own = path.join(ownFolder(), 'archive.git');
  const gitDir = await findRepository({ folder, own, ...(repo !== undefined && { repo }) });
  return openGitBranch(gitDir, branch ?? ARCHIVE_BRANCH);
}

function ownFolder(): string {
  return path.join(process.env.HOME || homedir(), '.throughline');
}
