import { ThroughlineError } from '../../../errors.ts';
import type { SecretFinder } from '../../../text/secrets/index.ts';
import type { GitBranch } from '../git/git-branch.ts';
import { adoptPacks, packsOf } from '../git/upkeep.ts';
import { listArchive } from '../list-archive.ts';
import { findArchived } from '../restore-original.ts';
import { emptyVault } from '../vault.ts';
import { planScrub, type ScrubbedFile } from './plan-scrub.ts';
import { readHistory } from './read-history.ts';
import { rememberScrubbed } from './scrubbed-commits.ts';
import { writeHistory } from './write-history.ts';

export interface ScrubOptions {
  /** What counts as a secret. */
  readonly find: SecretFinder;
  /** Only these, as the list shows them; otherwise everything. */
  readonly names?: readonly string[];
  readonly dryRun?: boolean;
  /** Keep removed text. What has a vault keeps it anyway, unless this is false: then that is emptied, too. */
  readonly vault?: boolean | undefined;
  readonly vaultKey?: string | undefined;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

export interface ScrubReport {
  /** What has changed, by where it is now. */
  readonly files: readonly ScrubbedFile[];
  readonly commits: number;
  /** Commits that were made anew; those before them are the same. */
  readonly rewritten: number;
  /** Messages and names among them that had a secret. */
  readonly texts: number;
  /** Where the branch was and where it is; the same if nothing was found. */
  readonly before: string;
  readonly after: string;
}

/**
 * Takes secrets out of everything that was ever archived, by making the history of the branch anew from the first commit
 * that has one. The branch moves in one step, and only from where it was seen; no other ref is touched.
 */
export async function scrubArchive(branch: GitBranch, options: ScrubOptions): Promise<ScrubReport> {
  const { tip } = await branch.look();
  if (tip === undefined)
    throw new ThroughlineError(
      'archive-not-found',
      `There is no branch ${branch.name} yet: nothing to scrub.`,
    );
  if (!options.dryRun) await branch.refuseInUse();
  const past = await readHistory(branch.git, tip);
  const { find, onProgress, vault: keep } = options;
  const vault = { folder: branch.vault, key: options.vaultKey };
  const isMeant = await chooseFiles(branch, options.names);
  const plan = await planScrub(branch, past, { find, isMeant, vault, keep, onProgress });
  const { files, texts, first } = plan;
  const report = { files, texts, commits: past.length, before: tip };
  if (first === undefined) return { ...report, rewritten: 0, after: tip };
  const rewritten = past.length - first;
  if (options.dryRun) return { ...report, rewritten, after: tip };
  const packs = new Set(packsOf(branch.gitDir));
  const after = await writeHistory(branch.git, past[first - 1]?.id, plan.commits());
  // Before the branch moves: a remote that still has them is distinguished from one that has something new.
  rememberScrubbed(
    branch,
    past.slice(first).map(({ id }) => id),
  );
  // Before the branch moves as well: after a kill a second scrub could not find the vaults.
  if (keep === false) for (const sha256 of plan.originals) await emptyVault(vault, sha256);
  if (!(await branch.move(after, tip)))
    throw new ThroughlineError(
      'archive-busy',
      `Somebody archived to ${branch.name} meanwhile, so nothing was scrubbed. Try again.`,
      { details: { branch: branch.name } },
    );
  const made = packsOf(branch.gitDir).filter((pack) => !packs.has(pack));
  await adoptPacks(branch, made);
  return { ...report, rewritten, after };
}

/** The archived files that are meant: a name means all versions that were archived under it. */
async function chooseFiles(
  branch: GitBranch,
  names: readonly string[] | undefined,
): Promise<(path: string) => boolean> {
  if (!names || names.length === 0) return () => true;
  const files = await listArchive(branch);
  const paths = new Set<string>();
  for (const name of names) {
    // A history that is made anew cannot be undone, so nothing is guessed from the start of a name.
    const found = findArchived(files, name, branch.name, { whole: true });
    paths.add(found.path);
    for (const { path, record } of files) if (record && record.name === found.record?.name) paths.add(path);
  }
  return (path) => paths.has(path);
}
