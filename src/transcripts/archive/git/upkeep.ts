import {
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { tryGit } from './run-git.ts';

const PackName = z.string().regex(/^[0-9a-f]{40,64}$/);

/** The record of the branch's own packs. Lost or wrong, it costs room and nothing else. */
const Note = z.object({
  /** One, as a rule: a kill while it is replaced leaves two. */
  packs: z.array(PackName).default([]),
  /** The same, as earlier versions had it. */
  pack: PackName.optional(),
  loose: z.number(),
  /** What we alone have written since it was packed. */
  own: z.array(z.string()).default([]),
  /**
   * There are packs that others made: a whole object in them may be stored as a difference, which git does not try unasked.
   */
  adopted: z.boolean().default(false),
});

/** Copies may take so much of what the pack takes before they are packed … */
const SHARE = 0.12;
/** … and this much in any case. */
const LEAST = 64 * 1024;

const LONGEST_CHAIN = 4095;

interface Upkeep {
  readonly git: readonly string[];
  readonly gitDir: string;
  readonly ref: string;
}

/**
 * Each version of a grown file is a whole object at first. Once those add up, everything on the branch is packed, where the
 * newest version is whole and older ones are differences: what it costs grows with the archives since.
 *
 * An object may belong to another branch as well: a session that is committed to a branch of theirs is the same object there,
 * and git writes it once. So a pack of ours is only replaced by one that holds all of it, whatever the branch reaches by now,
 * and copies are taken away only of what we wrote. The pack is there before, so a kill at any moment costs room and nothing
 * else; other packs are not touched.
 */
export async function packNowAndThen(
  upkeep: Upkeep,
  written: readonly { readonly id: string; readonly own: boolean }[],
): Promise<void> {
  const note = noteOf(upkeep);
  const before = readNote(note);
  const fresh = written.map(({ id }) => roomOf(loosePath(upkeep.gitDir, id)));
  const loose = fresh.reduce((sum, size) => sum + size, before.loose);
  const own = [...before.own, ...written.filter((one) => one.own).map(({ id }) => id)];
  const packed = before.packs.map((pack) => sizeOf(`${packPath(upkeep.gitDir, pack)}.pack`));
  writeFileSync(note, JSON.stringify({ ...before, loose, own }));
  if (loose > Math.max(LEAST, SHARE * packed.reduce((sum, size) => sum + size, 0))) await packAnew(upkeep);
}

/** Packs the branch at once. `without` are objects without references: they are left out of our own pack. */
export async function packAnew(
  upkeep: Upkeep,
  { without = new Set() }: { without?: ReadonlySet<string> } = {},
): Promise<void> {
  const { git, gitDir, ref } = upkeep;
  const note = noteOf(upkeep);
  const before = readNote(note);
  const old = await idsToKeep(upkeep, before.packs, without);
  const listed = await tryGit([...git, 'rev-list', '--objects', ref]);
  if (!old || listed.code !== 0) return;
  const lines = listed.stdout.toString('utf8').split('\n').filter(Boolean);
  const reached = new Set(lines.map((line) => line.split(' ', 1)[0]!));
  const input = [...withNamesApart(lines), ...old.filter((id) => !reached.has(id))].join('\n');
  const draft = mkdtempSync(path.join(gitDir, DRAFT));
  try {
    // A chain that is cut is not tied again by later packs, so it may get as long as git allows.
    const how = ['--delta-base-offset', `--depth=${LONGEST_CHAIN}`, '--quiet'];
    const anew = before.adopted ? ['--no-reuse-delta'] : [];
    const args = ['pack-objects', ...how, ...anew, path.join(draft, 'pack')];
    const { code, stdout } = await tryGit([...git, ...args], { input: `${input}\n` });
    if (code !== 0) return;
    const name = stdout.toString('utf8').trim();
    // Before it is there: an unrecorded pack of ours would stay for ever.
    writeFileSync(note, JSON.stringify({ ...before, packs: [...before.packs, name] }));
    for (const ending of ['pack', 'rev', 'idx']) {
      const file = path.join(draft, `pack-${name}.${ending}`);
      if (existsSync(file)) renameSync(file, `${packPath(gitDir, name)}.${ending}`);
    }
    const packed = new Set(await idsIn(upkeep, name));
    if (!old.every((id) => packed.has(id))) return;
    for (const id of before.own) if (packed.has(id)) rmSync(loosePath(gitDir, id), { force: true });
    for (const pack of before.packs) if (pack !== name) removePack(gitDir, pack);
    writeFileSync(note, JSON.stringify({ packs: [name], loose: 0, own: [] }));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Versions of one file find each other by its name, of which git takes a hash that the last few characters decide; and it
 * compares an object with the ten before it only. Where many names end alike, ten others stand in between. So every file is
 * given a separate name for this: digits that have two bits each, as that hash has room for.
 */
function withNamesApart(lines: readonly string[]): string[] {
  const names = new Map<string, string>();
  return lines.map((line) => {
    const space = line.indexOf(' ');
    if (space < 0) return line;
    const path = line.slice(space + 1);
    const name = names.get(path) ?? names.size.toString(4).padStart(12, '0');
    names.set(path, name);
    return `${line.slice(0, space)} ${name}`;
  });
}

const DRAFT = 'throughline-draft-';

/** Removes what a process that was killed while packing has left. One that is packing right now packs another time. */
export function removeDraftBranches(gitDir: string): void {
  for (const name of globSync(`${DRAFT}*`, { cwd: gitDir }))
    rmSync(path.join(gitDir, name), { recursive: true, force: true });
}

/** Takes packs for ours of which everything belongs to the branch: the next packing puts them together. */
export async function adoptPacks(upkeep: Upkeep, packs: readonly string[]): Promise<void> {
  const note = noteOf(upkeep);
  const before = readNote(note);
  const listed = await tryGit([...upkeep.git, 'rev-list', '--objects', upkeep.ref]);
  const reached = new Set(
    listed.stdout
      .toString('utf8')
      .split('\n')
      .map((line) => line.split(' ', 1)[0]!),
  );
  const ours: string[] = [];
  for (const pack of packs) {
    const ids = await idsIn(upkeep, pack);
    if (ids && ids.length > 0 && ids.every((id) => reached.has(id))) ours.push(pack);
  }
  writeFileSync(note, JSON.stringify({ ...before, packs: [...before.packs, ...ours], adopted: true }));
}

/** The names of all packs. */
export function packsOf(gitDir: string): string[] {
  const names = globSync('pack-*.pack', { cwd: path.join(gitDir, 'objects', 'pack') });
  return names.map((name) => name.slice('pack-'.length, -'.pack'.length));
}

/** Objects of our packs that may be needed; `undefined` if unknown. */
async function idsToKeep(
  upkeep: Upkeep,
  packs: readonly string[],
  without: ReadonlySet<string>,
): Promise<string[] | undefined> {
  const ids = new Set<string>();
  for (const pack of packs) {
    const held = await idsIn(upkeep, pack);
    if (!held) return undefined;
    for (const id of held) if (!without.has(id)) ids.add(id);
  }
  return [...ids];
}

function removePack(gitDir: string, pack: string): void {
  // The index first, as git does it: without one a pack is not looked at.
  for (const ending of ['idx', 'rev', 'bitmap', 'pack'])
    rmSync(`${packPath(gitDir, pack)}.${ending}`, { force: true });
}

/** What a pack holds: nothing if it is not there any more, `undefined` if unknown. */
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

function noteOf({ gitDir, ref }: Upkeep): string {
  return path.join(gitDir, `throughline-pack-${encodeURIComponent(ref)}`);
}

function readNote(note: string): Omit<z.infer<typeof Note>, 'pack'> {
  try {
    const { pack, packs, ...rest } = Note.parse(JSON.parse(readFileSync(note, 'utf8')));
    return { ...rest, packs: pack === undefined ? packs : [...packs, pack] };
  } catch {
    return { packs: [], loose: 0, own: [], adopted: false };
  }
}

/** What it takes of the disk: a small file takes a block as well. */
function roomOf(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found ? Math.max(found.size, (found.blocks ?? 0) * 512) : 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
