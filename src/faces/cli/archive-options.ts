import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { isThroughlineError, ThroughlineError } from '../../errors.ts';
import { type Machine, OWN_MACHINE } from '../../operations/index.ts';
import type { SessionInfo } from '../../record/index.ts';
import type { Store } from '../../store/index.ts';
import { usageError } from './usage-error.ts';
import { type GlobalOptions, withStore } from './with-store.ts';

/** The archive that a command is about. */
export interface ArchiveChoice {
  readonly repo?: string;
  readonly branch?: string;
  readonly github?: string;
}

export function withArchiveOptions(command: Command): Command {
  return command
    .option('--repo <folder>', 'the git repository (default: the one around, or ~/.throughline/archive.git)')
    .option('--branch <name>', 'the branch (default: throughline-archive)')
    .option('--github <owner/name>', "a repository at GitHub, by its API; the token is GITHUB_TOKEN's");
}

/** The place as operations take it: near this folder, unless the options name a repository. */
export function placeIn({ repo, branch, github }: ArchiveChoice) {
  return {
    folder: process.cwd(),
    ...(repo !== undefined && { repo }),
    ...(branch !== undefined && { branch }),
    ...(github !== undefined && { github }),
  };
}

/** The remote that `--push [remote]` names. */
export function remoteIn({ push }: { push?: string | true }): { push?: string } {
  return push === undefined ? {} : { push: push === true ? 'origin' : push };
}

type Named = { file: string } | { session: string };

/** Looks up the files and sessions that are named. A name that is a file means the file; only sessions open the store. */
export async function withOriginals<T>(
  references: readonly string[],
  options: GlobalOptions,
  work: (originals: Named[], machine: Machine & { store?: Store }) => Promise<T>,
): Promise<T> {
  if (references.every(isFile))
    return work(
      references.map((file) => ({ file })),
      OWN_MACHINE,
    );
  return withStore(options, async ({ store, find }) => {
    const originals: Named[] = [];
    for (const reference of references)
      originals.push(
        isFile(reference) ? { file: reference } : { session: (await findBeside(reference, find)).id },
      );
    return work(originals, { ...OWN_MACHINE, store });
  });
}

function isFile(reference: string): boolean {
  const there = statSync(reference, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw usageError(`${reference} is a folder. Name the files in it.`);
  return there !== undefined;
}

/** The session; the refusal says that there is no such file either. */
async function findBeside(
  reference: string,
  find: (reference: string, options: { trashed: true }) => Promise<SessionInfo>,
): Promise<SessionInfo> {
  try {
    return await find(reference, { trashed: true });
  } catch (error) {
    if (!isThroughlineError(error, 'session-not-found')) throw error;
    const { message, details } = error;
    throw new ThroughlineError('session-not-found', `There is no file ${reference} here. ${message}`, {
      cause: error,
      details,
    });
  }
}
