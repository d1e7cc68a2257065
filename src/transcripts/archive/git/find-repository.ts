import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ThroughlineError } from '../../../errors.ts';
import { gitText, tryGit } from './run-git.ts';

export interface FindRepository {
  /** Named by a person: it has to be one. */
  readonly repo?: string;
  /** Otherwise the one that this folder is in. */
  readonly folder: string;
  /** Otherwise a separate repository, made here when it is needed. */
  readonly own: string;
}

/** The git directory that the archive is kept in, shared by all work trees of the repository. */
export async function findRepository({ repo, folder, own }: FindRepository): Promise<string> {
  if (repo !== undefined) {
    const named = await commonDir(repo);
    if (named && isEverything(named))
      throw new ThroughlineError(
        'archive-unavailable',
        `${repo} is the repository of ${path.dirname(named)} as a whole, and no place for conversations. Name another one, or none: then it is a repository of its own.`,
        { details: { repo } },
      );
    if (named) return named;
    throw new ThroughlineError(
      'archive-unavailable',
      `${repo} is no git repository. Make one with "git init --bare ${repo}", or name another one.`,
      { details: { repo } },
    );
  }
  const around = await commonDir(folder);
  if (around && !isEverything(around)) return around;
  if (!existsSync(path.join(own, 'HEAD'))) {
    mkdirSync(own, { recursive: true, mode: 0o700 });
    await gitText(['init', '--quiet', '--bare', own]);
  }
  return own;
}

async function commonDir(folder: string): Promise<string | undefined> {
  if (!existsSync(folder)) return undefined;
  const { code, stdout } = await tryGit(['-C', folder, 'rev-parse', '--git-common-dir']);
  if (code === 0) return path.resolve(folder, stdout.toString('utf8').trim());
  return undefined;
}

/** A repository of the home folder or of the whole disk holds dotfiles, and is no place for conversations. */
function isEverything(gitDir: string): boolean {
  const top = path.dirname(gitDir);
  return path.basename(gitDir) === '.git' && (top === path.parse(top).root || isHome(top));
}

function isHome(folder: string): boolean {
  const home = path.resolve(homedir());
  return folder === home || (existsSync(home) && realpathSync(folder) === realpathSync(home));
}
