import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
 * the newest version is whole and older ones are differences: what it costs grows with what was archived since. The pack is
 * there before what it holds is taken away, so a kill at any moment costs room and nothing else; nobody else's packs are
 * touched.
 */
export async function packNowAndThen(upkeep: Upkeep, written: readonly string[]): Promise<void> {
  const note = path.join(upkeep.gitDir, `throughline-pack-${encodeURIComponent(upkeep.ref)}`);
  const before = readNote(note);
  const objects = path.join(upkeep.gitDir, 'objects');
  const fresh = written.map((id) => sizeOf(path.join(objects, id.slice(0, 2), id.slice(2))));
  const loose = fresh.reduce((sum, size) => sum + size, before.loose);
  const packed =
    before.pack === undefined ? 0 : sizeOf(path.join(objects, 'pack', `pack-${before.pack}.pack`));
  const pack = loose > Math.max(LEAST, packed * SHARE) ? await packBranch(upkeep, before.pack) : undefined;
  const now = pack ? { pack, loose: 0 } : { ...before, loose };
  writeFileSync(note, JSON.stringify(now));
}

async function packBranch(
  { git, gitDir, ref }: Upkeep,
  before: string | undefined,
): Promise<string | undefined> {
  const folder = path.join(gitDir, 'objects', 'pack');
  // A chain that is cut is not tied again by later packs, so it may get as long as git allows.
  const how = ['--revs', '--delta-base-offset', `--depth=${LONGEST_CHAIN}`, '--quiet'];
  const args = ['pack-objects', ...how, path.join(folder, 'pack')];
  const { code, stdout } = await tryGit([...git, ...args], { input: `${ref}\n` });
  if (code !== 0) return undefined;
  const name = stdout.toString('utf8').trim();
  await tryGit([...git, 'prune-packed', '--quiet']);
  if (before !== undefined && before !== name)
    // The index first, as git does it: without one a pack is not looked at.
    for (const ending of ['idx', 'rev', 'bitmap', 'pack'])
      rmSync(path.join(folder, `pack-${before}.${ending}`), { force: true });
  return name;
}

function readNote(note: string): z.infer<typeof Note> {
  try {
    return Note.parse(JSON.parse(readFileSync(note, 'utf8')));
  } catch {
    return { loose: 0 };
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
