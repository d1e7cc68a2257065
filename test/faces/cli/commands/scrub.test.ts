import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../../src/faces/cli/exit-codes.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { createMachine, type Machine } from '../command-line.ts';

const WORD = 'wombat-dances-9';

function filesWith(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .filter((file) => readFileSync(file).includes(WORD));
}

async function filled(): Promise<Machine> {
  const machine = createMachine();
  execFileSync('git', ['init', '--quiet', machine.folder]);
  await machine.session({ id: 'cart', title: `On ${WORD}` }, (session) =>
    session.append([user(`It is ${WORD}.`), assistant('I see.')]),
  );
  await machine.session({ id: 'other' }, (session) => session.append([user('Nothing.')]));
  await machine.run(['search', 'dances']);
  mkdirSync(path.join(path.dirname(machine.storeFile), 'transcripts'));
  writeFileSync(path.join(path.dirname(machine.storeFile), 'transcripts', 'cart.md'), `old ${WORD}\n`);
  return machine;
}

describe('throughline scrub', () => {
  it('says what would change, and takes a secret out of the log, the index and the transcript', async () => {
    using machine = await filled();
    const root = path.dirname(machine.storeFile);
    const asked = ['scrub', '--text-from', '-'];
    const dry = await machine.run([...asked, '--dry-run'], { input: `${WORD}\n` });
    expect(dry.stdout).toContain('1 secret would be taken out of 2 entries.');
    expect(filesWith(root).length).toBeGreaterThan(1);
    expect((await machine.run(asked, { input: `${WORD}\n` })).code).toBe(EXIT_CODES.usage);
    const done = await machine.run([...asked, '--yes', '--json'], { input: `${WORD}\n` });
    expect(JSON.parse(done.stdout)).toEqual({
      dryRun: false,
      sessions: [{ id: 'cart', entries: 2 }],
      shared: [],
      busy: [],
      secrets: 1,
      named: [],
    });
    expect(filesWith(root)).toEqual([]);
    expect((await machine.run(['doctor'])).code).toBe(0);
    const { stdout } = await machine.run(['show', 'cart']);
    expect(stdout).toContain('It is [secret-1 named].');
    expect((await machine.run([...asked, '--yes'], { input: `${WORD}\n` })).stdout).toBe(
      'No secret was found in the sessions.\n',
    );
  });

  it('does the same in the archive, its history and what git still has of it', async () => {
    using machine = await filled();
    const file = path.join(machine.folder, 'talk.jsonl');
    for (const text of [`"${WORD}"\n`, `"${WORD}"\n"more"\n`]) {
      writeFileSync(file, text);
      await machine.run(['archive', 'talk.jsonl', 'cart']);
    }
    writeFileSync(file, '"clean"\n');
    const asked = ['archive', 'scrub', '--text', WORD];
    const dry = await machine.run([...asked, '--dry-run']);
    expect(dry.stdout).toContain('3 of 3 commits would be made anew.');
    const done = await machine.run([...asked, '--yes', '--prune', '--json']);
    expect(JSON.parse(done.stdout)).toMatchObject({ rewritten: 3, left: { objects: 0, heldBy: [] } });
    const all = execFileSync('git', ['-C', machine.folder, 'cat-file', '--batch', '--batch-all-objects']);
    expect(all.includes(WORD)).toBe(false);
    expect((await machine.run(['archive', 'verify'])).code).toBe(0);
    await machine.run(['scrub', '--text', WORD, '--yes']);
    expect(filesWith(path.dirname(machine.storeFile))).toEqual([]);
  });

  it.each([
    [['scrub', '--text', 'abc'], 'at least 4 characters'],
    [['scrub', '--pattern', '('], 'Invalid regular expression'],
    [['archive', 'scrub', '--github', 'a/b'], 'in a clone'],
    [['archive', 'scrub'], 'nothing to scrub'],
    [['scrub', '--text-from', 'nowhere.txt'], 'The secrets cannot be read from nowhere.txt'],
    [['archive', 'nowhere.jsonl'], 'There is no file nowhere.jsonl here.'],
  ])('refuses %j', async (args, said) => {
    using machine = createMachine();
    execFileSync('git', ['init', '--quiet', machine.folder]);
    const { code, stderr } = await machine.run(args);
    expect([code === 0, stderr.includes(said)]).toEqual([false, true]);
  });
});
