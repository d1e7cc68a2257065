import { createRedactor, type SecretFinder } from '../../../text/secrets/index.ts';
import { ARCHIVE_FOLDER, parseRecord, pathOfRecord, recordPath, writeRecord } from '../archive-record.ts';
import type { GitBranch } from '../git/git-branch.ts';
import { hasVault, keepInVault, type VaultPlace } from '../vault.ts';
import type { PastChange, PastCommit } from './read-history.ts';
import { scrubFile } from './scrub-file.ts';
import type { NewChange, NewCommit } from './write-history.ts';

interface PlanOptions {
  readonly find: SecretFinder;
  readonly isMeant: (path: string) => boolean;
  readonly vault: VaultPlace;
  /** Whether removed text is kept; by default, files with a vault keep it. */
  readonly keep: boolean | undefined;
  readonly onProgress: ((progress: { done: number; total: number }) => void) | undefined;
}

export interface ScrubbedFile {
  readonly path: string;
  readonly versions: number;
  readonly secrets: number;
}

interface ScrubPlan {
  readonly files: readonly ScrubbedFile[];
  /** Messages and names that have a secret. */
  readonly texts: number;
  /** Which commit is the first that becomes another one. */
  readonly first: number | undefined;
  /** Hashes of the originals that are touched. */
  readonly originals: ReadonlySet<string>;
  /** What takes the place of the commits from the first one on. Vaults are written before what relies on them. */
  commits(): AsyncGenerator<NewCommit>;
}

/** Looks for secrets in every version of every file that is meant, in names and in messages. Changes nothing. */
export async function planScrub(
  branch: GitBranch,
  past: readonly PastCommit[],
  { find, isMeant, vault, keep, onProgress }: PlanOptions,
): Promise<ScrubPlan> {
  const redact = (text: string) => createRedactor({ find }).text(text);
  const names = new Map<string, string>();
  const sums = new Map<string, { versions: number; secrets: number }>();
  const originals = new Set<string>();
  /** Versions that stay the objects they are. */
  const clean = new Map<string, boolean>();
  let texts = 0;
  let first: number | undefined;
  let done = 0;

  async function scrub({ data, record }: Pair) {
    const ids = [data, record].filter((id) => id !== undefined);
    const read = await branch.read(ids);
    const stored = data === undefined ? Buffer.alloc(0) : read[0]!;
    const text = record === undefined ? undefined : read.at(-1)!;
    const before = text && parseRecord(text);
    const scrubbed = await scrubFile(find, { stored, record: before }, vault);
    const written = scrubbed.record && writeRecord(scrubbed.record);
    const isClean = scrubbed.secrets === 0 && (!before || before.name === scrubbed.record!.name);
    return { ...scrubbed, before, text: isClean ? text : (written ?? text), isClean };
  }

  async function look(pair: Pair): Promise<boolean> {
    const key = `${pair.data} ${pair.record}`;
    const known = clean.get(key);
    if (known !== undefined) return known;
    const { secrets, before, isClean } = await scrub(pair);
    clean.set(key, isClean);
    if (before && secrets > 0) originals.add(before.sha256);
    const { versions, secrets: others } = sums.get(pair.path) ?? { versions: 0, secrets: 0 };
    if (!isClean) sums.set(pair.path, { versions: versions + 1, secrets: others + secrets });
    return isClean;
  }

  async function rename(path: string): Promise<boolean> {
    if (!names.has(path)) {
      const wanted = ARCHIVE_FOLDER + (await redact(path.slice(ARCHIVE_FOLDER.length)));
      const taken = new Set(names.values());
      let name = wanted;
      for (let n = 2; taken.has(name); n++) name = `${wanted}~${n}`;
      names.set(path, name);
      if (name !== path) texts++;
    }
    return names.get(path) !== path;
  }

  for (const { commit, pairs } of walkPast(past)) {
    const meant = pairs.filter(({ path }) => isMeant(path));
    const reworded = meant.length > 0 && (await redact(commit.message)) !== commit.message;
    if (reworded) texts++;
    let changed = reworded;
    for (const pair of meant) {
      if (await rename(pair.path)) changed = true;
      if (!(await look(pair))) changed = true;
    }
    if (changed) first ??= done;
    done++;
    onProgress?.({ done, total: past.length });
  }

  async function newFiles(pair: Pair): Promise<NewChange[]> {
    const path = names.get(pair.path) ?? pair.path;
    const same = [
      { path, blob: pair.data },
      { path: recordPath(path), blob: pair.record },
    ];
    if (clean.get(`${pair.data} ${pair.record}`) ?? true) return same;
    const { stored, text, record, taken, before } = await scrub(pair);
    const has =
      before !== undefined && hasVault(vault, { sha256: before.sha256, stored: before.stored.sha256 });
    if (record && taken && taken.length > 0 && (keep ?? has))
      await keepInVault(vault, { sha256: record.sha256, stored: record.stored.sha256, secrets: taken });
    return [
      { path, blob: pair.data && stored },
      { path: recordPath(path), blob: pair.record && text },
    ];
  }

  return {
    files: [...sums].map(([path, sum]) => ({ path: names.get(path) ?? path, ...sum })),
    texts,
    first,
    originals,
    async *commits() {
      let n = 0;
      for (const { commit, pairs, others } of walkPast(past)) {
        if (n++ < first!) continue;
        const changes: NewChange[] = [...others];
        for (const pair of pairs) changes.push(...(await newFiles(pair)));
        const meant = pairs.some(({ path }) => isMeant(path));
        const message = meant ? await redact(commit.message) : commit.message;
        yield { author: commit.author, committer: commit.committer, message, changes };
      }
    },
  };
}

/** An archived file and its record, as they were at one moment of the past. */
interface Pair {
  readonly path: string;
  readonly data: string | undefined;
  readonly record: string | undefined;
}

interface Step {
  readonly commit: PastCommit;
  /** Archived files that it has changed, or their records. */
  readonly pairs: readonly Pair[];
  /** Everything else that it has changed. */
  readonly others: readonly PastChange[];
}

/** The commits of a branch with what lay there after each: a record may come in a later commit than what it is about. */
function* walkPast(past: readonly PastCommit[]): Generator<Step> {
  const there = new Map<string, string | undefined>();
  for (const commit of past) {
    const touched = new Set<string>();
    const others: PastChange[] = [];
    for (const change of commit.changes) {
      there.set(change.path, change.blob);
      const path = change.path.startsWith(ARCHIVE_FOLDER) ? change.path : pathOfRecord(change.path);
      if (path === undefined) others.push(change);
      else touched.add(path);
    }
    const pairs = [...touched].map((path) => ({
      path,
      data: there.get(path),
      record: there.get(recordPath(path)),
    }));
    yield { commit, pairs, others };
  }
}
