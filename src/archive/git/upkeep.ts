import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { tryGit } from './run-git.ts';

/** What is known about the branch's own pack. Lost or wrong, it costs room and nothing else. */
const Note = z.object({
  pack: z
    .string()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional(),
  loose: z.number(),
  /** What we alone have written since it was packed. */
  own: z.array(z.string()).default([]),
});

/** Copies may take so much of what the pack takes before they are packed … */
const SHARE = 0.25;
/** … and this much in any case. */
const LEAST = 256 * 1024;

const LONGEST_CHAIN = 4095;

export interface Upkeep {
  readonly git: readonly string[];
  readonly gitDir: string;
  readonly ref: string;
}

/**
 * Each version of a grown file is a whole object at first. Once those add up, everything on the branch is packed, where
 * the newest version is whole and older ones are differences: what it costs grows with what was archived since.
 *
 * An object may be somebody's own as well: a session that is committed to a branch of theirs is the same object there, and
 * git writes it once. So a pack of ours is only replaced by one that holds all of it, whatever the branch reaches by now,
 * and copies are taken away only of what we wrote. The pack is there before, so a kill at any moment costs room and nothing
 * else; nobody else's packs are touched.
 */
export async function packNowAndThen(
  upkeep: Upkeep,
  written: readonly { readonly id: string; readonly own: boolean }[],
): Promise<void> {
  const note = path.join(upkeep.gitDir, `throughline-pack-${encodeURIComponent(upkeep.ref)}`);
  const before = readNote(note);
  const fresh = written.map(({ id }) => sizeOf(loosePath(upkeep.gitDir, id)));
  const loose = fresh.reduce((sum, size) => sum + size, before.loose);
  const own = [...before.own, ...written.filter((one) => one.own).map(({ id }) => id)];
  const packed = before.pack === undefined ? 0 : sizeOf(`${packPath(upkeep.gitDir, before.pack)}.pack`);
  const pack =
    loose > Math.max(LEAST, packed * SHARE)
      ? await packBranch(upkeep, { before: before.pack, own })
      : undefined;
  const now = pack ? { pack, loose: 0, own: [] } : { ...before, loose, own };
  writeFileSync(note, JSON.stringify(now));
}

async function packBranch(
  upkeep: Upkeep,
  { before, own }: { before: string | undefined; own: readonly string[] },
): Promise<string | undefined> {
  const { git, gitDir, ref } = upkeep;
  const old = before === undefined ? [] : await idsIn(upkeep, before);
  const listed = await tryGit([...git, 'rev-list', '--objects', ref]);
  if (!old || listed.code !== 0) return undefined;
  // With their paths, by which versions of one file find each other.
  const reached = new Map(
    listed.stdout
      .toString('utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.split(' ', 1)[0]!, line]),
  );
  const input = [...reached.values(), ...old.filter((id) => !reached.has(id))].join('\n');
  // A chain that is cut is not tied again by later packs, so it may get as long as git allows.
  const how = ['--delta-base-offset', `--depth=${LONGEST_CHAIN}`, '--quiet'];
  const args = ['pack-objects', ...how, path.join(gitDir, 'objects', 'pack', 'pack')];
  const { code, stdout } = await tryGit([...git, ...args], { input: `${input}\n` });
  if (code !== 0) return undefined;
  const name = stdout.toString('utf8').trim();
  const packed = new Set(await idsIn(upkeep, name));
  for (const id of own) if (packed.has(id)) rmSync(loosePath(gitDir, id), { force: true });
  if (before !== undefined && before !== name && old.every((id) => packed.has(id)))
    // The index first, as git does it: without one a pack is not looked at.
    for (const ending of ['idx', 'rev', 'bitmap', 'pack'])
      rmSync(`${packPath(gitDir, before)}.${ending}`, { force: true });
  return name;
}

/** What a pack holds: nothing if it is not there any more, `undefined` if nobody can tell. */
async function idsIn({ git, gitDir }: Upkeep, pack: string): Promise<string[] | undefined> {
  const index = await readFile(`${packPath(gitDir, pack)}.idx`).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? null : undefined,
  );
  if (!index) return index === null ? [] : undefined;
  const { code, stdout } = await tryGit([...git, 'show-index'], { input: index });
  if (code !== 0) return undefined;
  return stdout
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.split(' ')[1]!);
}

export function loosePath(gitDir: string, id: string): string {
  return path.join(gitDir, 'objects', id.slice(0, 2), id.slice(2));
}

function packPath(gitDir: string, pack: string): string {
  return path.join(gitDir, 'objects', 'pack', `pack-${pack}`);
}

function readNote(note: string): z.infer<typeof Note> {
  try {
    return Note.parse(JSON.parse(readFileSync(note, 'utf8')));
  } catch {
    return { loose: 0, own: [] };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
