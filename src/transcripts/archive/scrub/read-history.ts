import { runGit } from '../git/run-git.ts';

/** A commit of the branch, and what it changed. */
export interface PastCommit {
  readonly id: string;
  /** "name <address> seconds zone", as git has it. */
  readonly author: string;
  readonly committer: string;
  readonly message: string;
  readonly changes: readonly PastChange[];
}

export interface PastChange {
  readonly path: string;
  /** None if the file was taken away. */
  readonly blob: string | undefined;
}

/** The commits of a branch, oldest first. Merged commits count as part of the merge. */
export async function readHistory(git: readonly string[], tip: string): Promise<PastCommit[]> {
  const list = await runGit([...git, 'rev-list', '--first-parent', '--reverse', '--parents', tip]);
  const rows = list
    .toString('latin1')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' '));
  const ids = rows.map(([id]) => id!);
  const changes = await readChanges(
    git,
    rows.map(([id, parent]) => (parent ? `${id} ${parent}` : id!)),
  );
  const objects = await runGit([...git, 'cat-file', '--batch'], { input: `${ids.join('\n')}\n` });
  const commits: PastCommit[] = [];
  for (let at = 0; at < objects.length; ) {
    const end = objects.indexOf(0x0a, at);
    const [id = '', , length] = objects.toString('latin1', at, end).split(' ');
    const text = objects.toString('utf8', end + 1, end + 1 + Number(length));
    commits.push({ id, ...partsOf(text), changes: changes.get(id) ?? [] });
    at = end + 2 + Number(length);
  }
  return commits;
}

function partsOf(text: string): Omit<PastCommit, 'id' | 'changes'> {
  const blank = text.indexOf('\n\n');
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(text.slice(0, blank))?.[1] ?? '';
  return { author: field('author'), committer: field('committer'), message: text.slice(blank + 2) };
}

async function readChanges(
  git: readonly string[],
  pairs: readonly string[],
): Promise<Map<string, PastChange[]>> {
  const args = ['diff-tree', '--stdin', '-r', '-z', '--root', '--no-renames', '--no-abbrev'];
  const listing = await runGit([...git, ...args], { input: `${pairs.join('\n')}\n` });
  const changes = new Map<string, PastChange[]>();
  let current: PastChange[] = [];
  const words = listing.toString('utf8').split('\0');
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word.startsWith(':')) {
      const [, mode, , blob] = word.split(' ');
      current.push({ path: words[++at]!, blob: mode === '000000' ? undefined : blob });
    } else if (word !== '') {
      current = [];
      changes.set(word, current);
    }
  }
  return changes;
}
