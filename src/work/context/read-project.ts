import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { askGit, createInstructionReader, readInstructions } from '../../project/index.ts';
import { type ListedStructure, listStructure } from './list-structure.ts';
import type { GitCommit, ProjectContext } from './session-context.ts';

export interface ProjectReader {
  /** What a request shows of a project, read again only where something has changed. */
  read(folder: string): Promise<ProjectContext>;
}

const COMMITS = 10;
/** In a larger project a new file beyond these is noticed once git knows it. */
const MOST_WATCHED = 1000;
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'PROJECT.md'];

/**
 * The structure and the commits cost a few runs of git, so they are kept until a folder, the index or the branch
 * changes; instruction files are looked at each time.
 */
export function createProjectReader(): ProjectReader {
  const instructions = createInstructionReader({ names: NAMES });
  const kept = new Map<
    string,
    { stamp: string; listed: ListedStructure; commits: GitCommit[]; git: string | undefined }
  >();

  async function listed(folder: string) {
    const known = kept.get(folder);
    if (known && known.stamp === (await stampOf(folder, known.listed.folders, known.git))) return known;
    const git = (await askGit(folder, 'rev-parse', '--absolute-git-dir'))?.trim();
    // Which folders to look at is known only from a listing, and the kept files have to be read after the look.
    const { folders } = await listStructure(folder);
    const stamp = await stampOf(folder, folders, git);
    const fresh = { stamp, listed: await listStructure(folder), commits: await readCommits(folder), git };
    kept.set(folder, fresh);
    return fresh;
  }

  return {
    async read(folder) {
      const [
        {
          listed: { structure },
          commits,
        },
        files,
      ] = await Promise.all([listed(folder), readInstructions(folder, instructions)]);
      const texts = files.filter(
        ({ problem, sameAs, text }) => !problem && sameAs === undefined && text.trim() !== '',
      );
      const text = (name: string) => texts.find((file) => file.name === name)?.text;
      const claudeMd = text('CLAUDE.md');
      const projectMd = text('PROJECT.md');
      const others = texts
        .filter(({ name }) => name !== 'CLAUDE.md' && name !== 'PROJECT.md')
        .map(({ name, text: content }) => ({ name, text: content }));
      return {
        structure,
        ...(claudeMd !== undefined && { claudeMd }),
        ...(projectMd !== undefined && { projectMd }),
        ...(others.length > 0 && { instructions: others }),
        recentCommits: commits,
      };
    },
  };
}

/** Changes with the listing and the history: the folders, the index, and what the branch points at. */
async function stampOf(folder: string, folders: readonly string[], git: string | undefined): Promise<string> {
  const places = folders.slice(0, MOST_WATCHED).map((name) => path.join(folder, name));
  const head = git === undefined ? '' : await readFile(path.join(git, 'HEAD'), 'utf8').catch(() => '');
  const [, ref] = /^ref: (.+)$/m.exec(head) ?? [];
  const shared = git === undefined ? undefined : await commonOf(git);
  const files = git === undefined ? [] : [path.join(git, 'index'), path.join(shared!, 'packed-refs')];
  if (ref && shared !== undefined) files.push(path.join(shared, ref));
  const stamps = await Promise.all([...places, ...files].map(stampFile));
  return [head.trim(), ...stamps].join('\n');
}

/** Of a further work tree, the repository that it belongs to. */
async function commonOf(git: string): Promise<string> {
  const link = await readFile(path.join(git, 'commondir'), 'utf8').catch(() => undefined);
  return link === undefined ? git : path.resolve(git, link.trim());
}

async function stampFile(file: string): Promise<string> {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return '-';
  }
}

async function readCommits(folder: string): Promise<GitCommit[]> {
  const log = await askGit(folder, 'log', '-n', String(COMMITS), '--format=%h%x1f%s%x1f%an%x1f%cI');
  return (log ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [hash = '', subject = '', author = '', date = ''] = line.split('\x1f');
      return { hash, subject, author, date };
    });
}
