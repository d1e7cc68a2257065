import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../../../../src/faces/cli/exit-codes.ts';
import { openSession } from '../../../../src/session/index.ts';
import { assistant, user } from '../../../../src/testing/index.ts';
import { longPi } from '../../../transcripts/shorten/long-files.ts';
import { createMachine, type Machine } from '../command-line.ts';

const SECRET = `ghp_${'Ab1'.repeat(12)}`;

function withRepository(machine: Machine): string {
  execFileSync('git', ['init', '--quiet', machine.folder]);
  return machine.folder;
}

function withRemote(machine: Machine, folder = machine.folder): void {
  const remote = path.join(machine.home, `${path.basename(folder)}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  execFileSync('git', ['-C', folder, 'remote', 'add', 'origin', remote]);
}

describe('throughline archive', () => {
  it('keeps a file, finds it, verifies it and gives it back to the byte', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    const file = path.join(folder, 'talk.jsonl');
    writeFileSync(file, `{"said":"${SECRET}"}\n`);
    const { archived } = await machine.json<{ archived: object[] }>('archive', 'talk.jsonl', '--vault');
    expect(archived).toMatchObject([{ name: 'talk.jsonl', how: 'new', secrets: 1, whole: true }]);
    expect(await machine.json('archive', 'list')).toMatchObject([
      { path: 'archived-sessions/talk.jsonl', secrets: 1 },
    ]);
    expect((await machine.run(['archive', 'verify', 'talk.jsonl'])).code).toBe(0);
    await machine.run(['archive', 'restore', 'talk', '-o', 'back.jsonl']);
    expect(readFileSync(path.join(folder, 'back.jsonl'))).toEqual(readFileSync(file));
    writeFileSync(file, 'something else\n');
    const { code, stdout } = await machine.run(['archive', 'verify', 'talk.jsonl']);
    expect([code, stdout]).toEqual([103, 'talk.jsonl is not what is archived  talk.jsonl\n']);
  });

  it('keeps a session, which import brings back', async () => {
    using machine = createMachine();
    withRepository(machine);
    await machine.session({ id: 'cart' }, (session) => session.append([user('Where?'), assistant('Here.')]));
    await machine.run(['archive', 'cart']);
    expect((await machine.run(['archive', 'verify', 'cart'])).code).toBe(0);
    await machine.run(['archive', 'restore', 'cart.jsonl', '-o', 'cart.jsonl']);
    const other = path.join(machine.home, 'other.db');
    const { stdout } = await machine.runBare(['import', 'cart.jsonl', '--store', other, '--json']);
    expect(JSON.parse(stdout).sessions).toMatchObject([{ id: 'cart', messages: 2, damage: 0 }]);
  });

  it('verifies a session that has grown as grown', async () => {
    using machine = createMachine();
    withRepository(machine);
    await machine.session({ id: 'cart' }, (session) => session.append([user('Where?'), assistant('Here.')]));
    await machine.run(['archive', 'cart']);
    await machine.change(async (store) => {
      await using session = await openSession(store, 'cart');
      await session.append([user('And now?')]);
    });
    const { code, stdout } = await machine.run(['archive', 'verify', 'cart']);
    expect([code, stdout]).toEqual([103, 'cart.jsonl has grown since it was archived  cart.jsonl\n']);
    expect(await machine.json('archive', 'cart')).toMatchObject({ archived: [{ how: 'grown' }] });
  });

  it('says which versions are newer than the one it gives back', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    for (const text of ['first\n', 'rewritten\n']) {
      writeFileSync(path.join(folder, 'talk.jsonl'), text);
      await machine.run(['archive', 'talk.jsonl']);
    }
    const first = await machine.run(['archive', 'restore', 'talk.jsonl']);
    expect([first.stdout, first.stderr]).toEqual([
      'first\n',
      expect.stringContaining('talk~2.jsonl is newer'),
    ]);
    const second = await machine.run(['archive', 'restore', 'talk~2.jsonl']);
    expect([second.stdout, second.stderr]).toEqual(['rewritten\n', '']);
  });

  it('is not kept in a repository of the whole home folder, also if that is named', async () => {
    using machine = createMachine();
    execFileSync('git', ['init', '--quiet', machine.home]);
    writeFileSync(path.join(machine.folder, 'talk.jsonl'), '1\n');
    const { code, stderr } = await machine.run(['archive', 'talk.jsonl', '--repo', machine.home]);
    expect([code, stderr]).toEqual([100, expect.stringContaining('Name another one with --repo')]);
  });

  it('names missing arguments', async () => {
    using machine = createMachine();
    expect((await machine.run(['archive'])).code).toBe(2);
    expect((await machine.run(['archive', 'nothing.jsonl'])).code).toBe(10);
    expect((await machine.run(['archive', 'list', '--repo', machine.home])).code).toBe(100);
    expect((await machine.run(['archive', 'restore', 'x'])).code).toBe(102);
    const { code, stderr } = await machine.run(['archive', 'list', '--github', 'sally/shop'], {
      env: { GITHUB_TOKEN: '', GH_TOKEN: '' },
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('GITHUB_TOKEN')]);
  });
});

describe('throughline compact-file', () => {
  it('shortens as the settings say, and the original can be had back', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    const file = path.join(folder, 'talk.jsonl');
    writeFileSync(file, longPi());
    const block = { maxSessionLines: 50, recentTurnsToKeep: 4, archiveBranch: 'kept' };
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify({ sessionManagement: block }));
    const { files } = await machine.json<{ files: { analysis: object }[] }>(
      'compact-file',
      'talk.jsonl',
      '--dry-run',
      '--settings',
      'settings.json',
    );
    expect(files).toMatchObject([{ outcome: 'left', analysis: { lines: 89, oldTurns: 16, recentTurns: 4 } }]);
    expect(readFileSync(file, 'utf8')).toBe(longPi());
    const { stdout, stderr, code } = await machine.run([
      'compact-file',
      'talk.jsonl',
      '--settings',
      'settings.json',
      '--push',
    ]);
    expect(stdout).toMatch(/^talk\.jsonl Session compressed: 89 lines → \d+ lines \(\d+% reduction\)/);
    expect([code, stderr]).toEqual([104, expect.stringContaining('Not pushed:')]);
    const again = await machine.run(['compact-file', 'talk.jsonl', '--settings', 'settings.json']);
    expect(again.stdout).toContain('left alone');
    const restored = await machine.run(['archive', 'restore', 'talk.jsonl', '--branch', 'kept']);
    expect(restored.stdout).toBe(longPi());
  });

  it('says what to do about a folder, a link to itself, and a file that it does not know', async () => {
    using machine = createMachine();
    symlinkSync('loop.jsonl', path.join(machine.folder, 'loop.jsonl'));
    writeFileSync(path.join(machine.folder, 'notes.txt'), 'nothing\n');
    const { stdout } = await machine.run(['compact-file', '.', 'loop.jsonl', 'notes.txt', '--json']);
    expect(JSON.parse(stdout).failed).toEqual([
      { file: '.', code: 'usage', message: '. is a folder. Name the files in it.' },
      { file: 'loop.jsonl', code: 'usage', message: 'loop.jsonl is a link that leads to itself.' },
      { file: 'notes.txt', code: 'transcript-unknown', message: expect.stringMatching(/codex can\.$/) },
    ]);
  });

  it('goes on behind a file that is no transcript, sends every archive, and reports failures', async () => {
    using machine = createMachine();
    withRepository(machine);
    withRemote(machine);
    const other = path.join(machine.folder, 'other');
    execFileSync('git', ['init', '--quiet', other]);
    const file = path.join(other, 'talk.jsonl');
    for (const one of [file, path.join(machine.folder, 'talk.jsonl')]) writeFileSync(one, longPi());
    writeFileSync(path.join(machine.folder, 'notes.txt'), 'nothing\n');
    const { code, stdout } = await machine.run([
      ...['compact-file', 'notes.txt', 'none.jsonl', 'talk.jsonl', file],
      ...['--max-lines', '50', '--keep-turns', '4', '--push', '--json'],
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      files: [{ outcome: 'shortened' }, { outcome: 'shortened' }],
      failed: [
        { file: 'notes.txt', code: 'transcript-unknown' },
        { file: 'none.jsonl', code: 'usage' },
      ],
      pushed: [{ remote: 'origin' }],
      notPushed: [{ code: 'archive-not-pushed', archive: expect.stringContaining('other') }],
    });
    expect(code).toBe(EXIT_CODES['transcript-unknown']);
  });

  it('leaves files alone where the model of the settings has no key, unless the digest may do it, and fails where one is asked for', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    writeFileSync(path.join(folder, 'talk.jsonl'), longPi());
    const settings = {
      defaultProvider: 'anthropic',
      defaultModel: 'claude-opus-4-6',
      sessionManagement: { maxSessionLines: 50, recentTurnsToKeep: 4 },
    };
    writeFileSync(path.join(folder, 'settings.json'), JSON.stringify(settings));
    const env = { ANTHROPIC_API_KEY: '' };
    const asked = await machine.run(['compact-file', 'talk.jsonl', '--model', 'anthropic:x'], { env });
    expect(asked.code).toBe(61);
    expect(readFileSync(path.join(folder, 'talk.jsonl'), 'utf8')).toBe(longPi());
    const args = ['compact-file', 'talk.jsonl', '--settings', 'settings.json'];
    const left = await machine.run(args, { env });
    expect([left.code, left.stdout]).toEqual([0, expect.stringContaining('the next run tries again')]);
    expect(readFileSync(path.join(folder, 'talk.jsonl'), 'utf8')).toBe(longPi());
    const usual = await machine.run([...args, '--or-digest'], { env });
    expect([usual.code, usual.stdout]).toEqual([0, expect.stringContaining('by the digest')]);
  });
});

describe('throughline resume', () => {
  /** An agent that adds a turn to the file it is given, and says what it was asked. */
  const AGENT = `import { appendFileSync, readFileSync } from 'node:fs';
const [, , , file, , words] = process.argv;
const lines = readFileSync(file, 'utf8').trimEnd().split('\\n').length;
appendFileSync(file, '{"type":"late"}\\n');
console.log(\`agent: \${lines} lines, \${words}\`);
process.exitCode = words === 'Fail.' ? 7 : 0;
`;

  it('shortens the file of a session, runs the agent as the example does, and reads the session into the store', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    withRemote(machine);
    mkdirSync(path.join(folder, '.pi'));
    const settings = '{"sessionManagement":{"maxSessionLines":100,"recentTurnsToKeep":4}}';
    writeFileSync(path.join(folder, '.pi', 'settings.json'), settings);
    writeFileSync(path.join(folder, 'agent.mjs'), AGENT);
    writeFileSync(path.join(folder, 'talk.jsonl'), longPi({ turns: 60 }));
    const workflow = readFileSync('examples/compact-sessions.yml', 'utf8');
    const [, said = ''] = /run: npx throughline (.*)/.exec(workflow) ?? [];
    const stands: Record<string, string> = {
      npx: 'node',
      pi: 'agent.mjs',
      '"$SESSION"': 'talk.jsonl',
      '"$COMMENT"': 'Go on.',
    };
    const words = said.split(' ').map((word) => stands[word] ?? word);
    const first = await machine.run(words, { env: { ANTHROPIC_API_KEY: '' } });
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('Session compressed')]);
    const [, lines] = /agent: (\d+) lines, Go on\./.exec(first.stdout)!;
    expect(Number(lines)).toBeLessThan(100);
    expect(first.stderr).not.toContain('new entries');

    const again = await machine.run([
      'resume',
      '--',
      'node',
      'agent.mjs',
      '--session',
      'talk.jsonl',
      '-p',
      'Fail.',
    ]);
    expect([again.code, again.stderr]).toEqual([7, expect.stringContaining('left alone')]);
    expect(again.stderr).toMatch(/1 session, \d+ new entries/);
  });

  it('runs the agent when the file cannot be shortened, and asks for the file when the command names none', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    writeFileSync(path.join(folder, 'agent.mjs'), AGENT);
    writeFileSync(path.join(folder, 'talk.jsonl'), 'hello\n');
    const args = ['--', 'node', 'agent.mjs', '--session', 'talk.jsonl', '-p', 'Go on.'];
    const { code, stdout, stderr } = await machine.run(['resume', ...args]);
    expect([code, stdout.trim()]).toEqual([0, 'agent: 1 lines, Go on.']);
    expect(stderr).toContain('Not shortened:');
    expect((await machine.run(['resume', '--', 'node', '-e', '0'])).code).toBe(2);
  });
});

describe('throughline export', () => {
  it('takes secrets out of a page, and out of a part of it', async () => {
    using machine = createMachine();
    await machine.session({ id: 'cart' }, (session) =>
      session.append([user(`Use ${SECRET}`), assistant('Done.'), user('More?'), assistant('No.')]),
    );
    const { stdout } = await machine.run(['export', 'cart', '--format', 'html', '--redact']);
    expect(stdout).toContain('Use [secret-1 github]');
    const part = await machine.run(['export', 'cart', '--format', 'markdown', '--range', '3-4']);
    expect(part.stdout).toContain('More?');
    expect(part.stdout).not.toContain('Done.');
    expect((await machine.run(['export', 'cart', '--format', 'pi', '--range', '3-4'])).code).toBe(2);
  });
});
