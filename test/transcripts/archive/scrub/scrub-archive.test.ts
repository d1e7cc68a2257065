import { randomBytes } from 'node:crypto';
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lookFor } from '../../../../src/text/secrets/index.ts';
import {
  archiveOriginal,
  findLeftovers,
  listArchive,
  openGitBranch,
  pruneScrubbed,
  pushBranch,
  pushScrubbed,
  restoreOriginal,
  scrubArchive,
  verifyArchive,
} from '../../../../src/transcripts/archive/index.ts';
import { emptyVault } from '../../../../src/transcripts/archive/vault.ts';
import { file } from '../branch-contract.ts';
import { createRepository, gitIn, type Repository } from '../repository.ts';

const WORD = 'the blue parrot "sings"\nat nine';
const inJson = JSON.stringify(WORD).slice(1, -1);
const TOKEN = `ghp_${'Ab1'.repeat(12)}`;
const find = lookFor({ texts: [WORD] });

const open = ({ gitDir }: Repository) => openGitBranch(gitDir, 'kept');
const states = async (repository: Repository) =>
  Object.fromEntries(
    (await verifyArchive(await open(repository))).map((one) => [one.path.slice(18), one.state]),
  );

/** The bytes of everything that the branch leads to. */
function reachable({ folder, git }: Repository, ref = 'kept'): string {
  const ids = git('rev-list', '--objects', ref)
    .split('\n')
    .flatMap((line) => line.split(' ', 1)[0] || []);
  return ids.map((id) => gitIn(folder, 'cat-file', '-p', id)).join('\n');
}

async function filled(repository: Repository): Promise<void> {
  const branch = await open(repository);
  await archiveOriginal(branch, file('clean.jsonl', '{"a":1}\n'));
  await archiveOriginal(branch, file('talk.jsonl', `{"said":"${inJson}"}\n`));
  await archiveOriginal(branch, file('talk.jsonl', `{"said":"${inJson}"}\n{"token":"${TOKEN}"}\n`));
  await archiveOriginal(branch, file('clean.jsonl', '{"a":1}\n{"b":2}\n'));
  await archiveOriginal(branch, file('plain.md', `# Notes\n\n${WORD}\n`));
}

describe('scrubbing an archive', () => {
  it('takes a secret out of every version of every file, and leaves everything else as it is', async () => {
    using repository = createRepository();
    await filled(repository);
    const before = repository.state();
    const clean = repository.git('rev-parse', 'kept:archived-sessions/clean.jsonl');
    const report = await scrubArchive(await open(repository), { find });
    expect(report).toMatchObject({ commits: 5, rewritten: 4, texts: 0 });
    expect(report.files).toEqual([
      { path: 'archived-sessions/talk.jsonl', versions: 2, secrets: 2 },
      { path: 'archived-sessions/plain.md', versions: 1, secrets: 1 },
    ]);
    expect(report.after).toBe((await (await open(repository)).look()).tip);
    expect(reachable(repository)).not.toMatch(/parrot|sings/);
    expect(await states(repository)).toEqual({
      'clean.jsonl': 'whole',
      'talk.jsonl': 'redacted',
      'plain.md': 'redacted',
    });
    const { bytes } = await restoreOriginal(await open(repository), 'talk.jsonl');
    expect(bytes.toString()).toBe('{"said":"[secret-2 named]"}\n{"token":"[secret-1 github]"}\n');
    expect(repository.git('rev-parse', 'kept:archived-sessions/clean.jsonl')).toBe(clean);
    expect(repository.state()).toEqual(before);
    expect(repository.git('rev-list', '--count', 'kept').trim()).toBe('5');
    expect(repository.git('for-each-ref', 'refs/throughline')).toBe('');
    expect(repository.git('fsck', '--strict')).not.toMatch(/error|missing/);
  });

  it('says what it would do, and does nothing, in a dry run; and finds nothing the second time', async () => {
    using repository = createRepository();
    await filled(repository);
    const before = repository.git('for-each-ref');
    const dry = await scrubArchive(await open(repository), { find, dryRun: true });
    expect(repository.git('for-each-ref')).toBe(before);
    const done = await scrubArchive(await open(repository), { find });
    expect({ ...done, after: dry.after }).toEqual(dry);
    const again = await scrubArchive(await open(repository), { find });
    expect(again).toMatchObject({ files: [], rewritten: 0, before: done.after, after: done.after });
  });

  it('finds secrets with the scanner of today that an older one let through', async () => {
    using repository = createRepository();
    const branch = await open(repository);
    await archiveOriginal(branch, file(`${TOKEN}.jsonl`, `{"use":"${TOKEN}"}\n`), { redact: false });
    await archiveOriginal(branch, file('a.jsonl', '{}\n'));
    await scrubArchive(branch, { find: lookFor({}) });
    expect(reachable(repository)).not.toContain(TOKEN);
    expect(repository.git('log', '--format=%B%n%an', '--name-only', 'kept')).not.toContain(TOKEN);
    const [, scrubbed] = await listArchive(branch);
    expect(scrubbed).toMatchObject({
      path: 'archived-sessions/[secret-1 github]',
      record: { secrets: 1 },
    });
    expect(Object.values(await states(repository)).sort()).toEqual(['redacted', 'whole']);
  });

  it('empties the vault before the branch moves: after a kill the vaults could not be found', async () => {
    using repository = createRepository();
    const branch = await open(repository);
    const text = `{"said":"${inJson}","token":"${TOKEN}"}\n`;
    await archiveOriginal(branch, file('talk.jsonl', text), { vault: true });
    const killed = { ...branch, move: () => Promise.reject(new Error('killed')) };
    await expect(scrubArchive(killed, { find, vault: false })).rejects.toThrow('killed');
    expect(readdirSync(branch.vault)).toEqual([]);
  });

  it('does not say that it emptied a vault which it could not look into', async () => {
    using repository = createRepository();
    const { vault } = await open(repository);
    await emptyVault({ folder: vault }, 'a'.repeat(64));
    symlinkSync(path.basename(vault), vault);
    await expect(emptyVault({ folder: vault }, 'a'.repeat(64))).rejects.toMatchObject({ code: 'ELOOP' });
  });

  it('says nothing of a password in the address of a remote that still has it', async () => {
    using repository = createRepository();
    using remote = createRepository();
    await filled(repository);
    const address = `file://anna:${TOKEN}@${remote.gitDir}`;
    repository.git('config', `url.${remote.gitDir}.insteadOf`, address);
    const branch = await open(repository);
    await pushBranch(branch, { remote: address });
    await scrubArchive(branch, { find });
    const error = await pushBranch(branch, { remote: address }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: 'archive-not-pushed', details: { scrubbed: true } });
    expect(`${(error as Error).message} ${JSON.stringify(error)}`).not.toContain(TOKEN);
  });

  it('touches only the named file, by its whole name', async () => {
    using repository = createRepository();
    await filled(repository);
    const begun = scrubArchive(await open(repository), { find, names: ['plain'] });
    const details = { candidates: ['plain.md'] };
    await expect(begun).rejects.toMatchObject({ code: 'archive-not-found', details });
    const report = await scrubArchive(await open(repository), { find, names: ['plain.md'] });
    expect(report.files.map((one) => one.path)).toEqual(['archived-sessions/plain.md']);
    expect(report.rewritten).toBe(1);
    expect(reachable(repository)).toContain('parrot');
  });

  it('keeps removed text in the vault of a file that has one, and deletes it on request', async () => {
    using repository = createRepository();
    const branch = await open(repository);
    const text = `{"said":"${inJson}"}\n{"token":"${TOKEN}","again":"${inJson}"}\n`;
    await archiveOriginal(branch, file('talk.jsonl', text), { vault: true });
    await archiveOriginal(branch, file('other.jsonl', `"${inJson}"\n`));
    await scrubArchive(branch, { find, vault: undefined });
    expect(await states(repository)).toEqual({ 'talk.jsonl': 'whole', 'other.jsonl': 'redacted' });
    expect((await restoreOriginal(branch, 'talk.jsonl')).bytes.toString()).toBe(text);
    await archiveOriginal(branch, file('talk.jsonl', `${text}"${inJson}"\n`), { vault: true });
    await scrubArchive(branch, { find, vault: false });
    const kept = readdirSync(path.join(repository.gitDir, 'throughline-vault'));
    expect(Object.values(await states(repository))).not.toContain('damaged');
    expect(kept.length).toBeLessThan(3);
  });

  it('can be had back to the byte, whatever was taken out before', async () => {
    using repository = createRepository();
    const branch = await open(repository);
    const pieces = fc.constantFrom(
      TOKEN,
      `${TOKEN.slice(0, -1)}9`,
      inJson,
      'word',
      ' ',
      '\\n',
      'é',
      '[secret-1 github]',
    );
    let n = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 12 }), async (words) => {
        const name = `s${++n}.jsonl`;
        const text = `"${words.join(' ')}"\n`;
        await archiveOriginal(branch, file(name, text), { vault: true });
        await scrubArchive(branch, { find: lookFor({ texts: [WORD, 'word'] }), names: [name], vault: true });
        const restored = await restoreOriginal(branch, name);
        expect(restored.bytes.toString()).toBe(text);
        const [stored] = await branch.read([restored.file.id]);
        expect(stored!.toString()).not.toMatch(/parrot|word/);
        JSON.parse(stored!.toString());
      }),
      { numRuns: 12 },
    );
  });

  it('deletes objects that only the old history needed, and no others', async () => {
    using repository = createRepository();
    const { git } = repository;
    await filled(repository);
    const own = `# Notes\n\n${WORD}\n`;
    const blob = git('rev-parse', 'kept:archived-sessions/plain.md').trim();
    git('update-ref', 'refs/keep/me', blob);
    await scrubArchive(await open(repository), { find });
    expect(repository.allObjects().toString()).toContain('sings');
    expect((await findLeftovers(await open(repository))).objects).toBeGreaterThan(3);
    const pruned = await pruneScrubbed(await open(repository));
    expect(pruned).toMatchObject({ objects: 0, heldBy: [] });
    expect(git('cat-file', '-p', blob)).toBe(own);
    expect(repository.allObjects().toString().replace(own, '')).not.toMatch(/parrot|sings/);
    expect(git('fsck', '--strict')).not.toMatch(/error|missing/);
    expect(Object.values(await states(repository))).not.toContain('damaged');
  });

  it('takes no more room afterwards: versions of a file are differences again', async () => {
    using repository = createRepository({ bare: true });
    const branch = await open(repository);
    let text = `"${inJson}"\n`;
    for (let day = 0; day < 12; day++) {
      text += `"${randomBytes(6_000).toString('hex')}"\n`;
      await archiveOriginal(branch, file('grown.jsonl', text), { redact: false });
    }
    await scrubArchive(branch, { find });
    await pruneScrubbed(branch);
    const counted = repository.git('count-objects', '-v');
    const kilobytes = ['size', 'size-pack'].map((name) =>
      Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(counted)![1]),
    );
    expect((kilobytes[0]! + kilobytes[1]!) * 1024).toBeLessThan(2 * deflateSync(text).length);
  });

  it('names everybody who still holds a past, of whichever scrub', async () => {
    using repository = createRepository();
    const { git } = repository;
    await filled(repository);
    const branch = await open(repository);
    const scrubs = [
      { ref: 'refs/heads/first', find },
      { ref: 'refs/heads/second', find: lookFor({ texts: ['later'] }) },
    ];
    for (const scrub of scrubs) {
      await archiveOriginal(branch, file('new.jsonl', '"later"\n'));
      git('update-ref', scrub.ref, 'kept');
      await scrubArchive(branch, scrub);
    }
    const { heldBy } = await findLeftovers(branch);
    expect(heldBy.toSorted()).toEqual(scrubs.map(({ ref }) => ref));
    expect((await pruneScrubbed(branch)).heldBy.toSorted()).toEqual(heldBy.toSorted());
    expect(reachable(repository, 'first')).toContain('parrot');
  });

  it('is not undone by a remote that still has it, and replaces that on request only', async () => {
    using repository = createRepository();
    const { root, git } = repository;
    gitIn(root, 'init', '--quiet', '--bare', 'there.git');
    git('remote', 'add', 'origin', path.join(root, 'there.git'));
    await filled(repository);
    const branch = await open(repository);
    await pushBranch(branch);
    await scrubArchive(branch, { find });
    await archiveOriginal(branch, file('new.jsonl', '"later"\n'));
    await expect(pushBranch(branch)).rejects.toMatchObject({
      code: 'archive-not-pushed',
      details: { scrubbed: true },
    });
    expect(reachable(repository)).not.toContain('parrot');
    await pushScrubbed(branch);
    expect(gitIn(path.join(root, 'there.git'), 'rev-parse', 'kept')).toBe(git('rev-parse', 'kept'));
    await archiveOriginal(branch, file('newer.jsonl', '"latest"\n'));
    await pushBranch(branch);
  });

  it('takes in archives that others made on top of the old history, and scrubs them too', async () => {
    using repository = createRepository();
    using other = createRepository();
    const { root, git } = repository;
    gitIn(root, 'init', '--quiet', '--bare', 'there.git');
    for (const one of [repository, other]) one.git('remote', 'add', 'origin', path.join(root, 'there.git'));
    await filled(repository);
    const branch = await open(repository);
    await pushBranch(branch);
    other.git('fetch', '--quiet', 'origin', 'kept:kept');
    await archiveOriginal(await open(other), file('theirs.jsonl', `"${inJson} theirs"\n`));
    await pushBranch(await open(other));
    await scrubArchive(branch, { find });
    await expect(pushScrubbed(branch)).rejects.toMatchObject({ details: { taken: 1 } });
    expect(reachable(repository)).toContain('theirs');
    await scrubArchive(branch, { find });
    await pushScrubbed(branch);
    expect(gitIn(path.join(root, 'there.git'), 'rev-parse', 'kept')).toBe(git('rev-parse', 'kept'));
    expect(reachable(repository)).not.toContain('parrot');
    expect((await listArchive(branch)).map(({ path: one }) => one.slice(18)).sort()).toEqual([
      'clean.jsonl',
      'plain.md',
      'talk.jsonl',
      'theirs.jsonl',
    ]);
  });
});
