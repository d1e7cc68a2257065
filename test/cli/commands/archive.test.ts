import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistant, user } from '../../../src/testing/index.ts';
import { longPi } from '../../shorten/long-files.ts';
import { createMachine, type Machine } from '../command-line.ts';

const SECRET = `ghp_${'Ab1'.repeat(12)}`;

function withRepository(machine: Machine): string {
  execFileSync('git', ['init', '--quiet', machine.folder]);
  return machine.folder;
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

  it('says what is missing', async () => {
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
    expect([code, stderr]).toEqual([0, expect.stringContaining('Not pushed:')]);
    const again = await machine.run(['compact-file', 'talk.jsonl', '--settings', 'settings.json']);
    expect(again.stdout).toContain('left alone');
    const restored = await machine.run(['archive', 'restore', 'talk.jsonl', '--branch', 'kept']);
    expect(restored.stdout).toBe(longPi());
  });

  it('uses the digest where the model of the settings has no key, and fails where one is asked for', async () => {
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
    const usual = await machine.run(['compact-file', 'talk.jsonl', '--settings', 'settings.json'], { env });
    expect([usual.code, usual.stdout]).toEqual([0, expect.stringContaining('by the digest')]);
  });
});

describe('examples/compact-sessions.yml', () => {
  it('says what the command line understands', async () => {
    using machine = createMachine();
    const folder = withRepository(machine);
    const sessions = path.join(folder, 'state', 'sessions');
    mkdirSync(sessions, { recursive: true });
    mkdirSync(path.join(folder, '.pi'));
    const files = ['one.jsonl', 'two.jsonl'].map((name) => path.join(sessions, name));
    for (const file of files) writeFileSync(file, longPi({ turns: 60 }));
    writeFileSync(path.join(folder, '.pi', 'settings.json'), '{"sessionManagement":{"maxSessionLines":100}}');
    const workflow = readFileSync('examples/compact-sessions.yml', 'utf8');
    const [, said = ''] = /run: npx throughline (.*)/.exec(workflow) ?? [];
    const words = said.split(' ').flatMap((word) => (word.includes('*') ? files : [word]));
    const { code, stdout } = await machine.run(words, { env: { ANTHROPIC_API_KEY: '' } });
    expect([code, stdout.match(/Session compressed/g)?.length]).toEqual([0, 2]);
  });
});

describe('throughline handoff', () => {
  it.each(['pi', 'claude-code', 'codex'])(
    'puts a session where %s looks, never over another one',
    async (agent) => {
      using machine = createMachine();
      await machine.session({ id: 'cart', project: machine.folder }, (session) =>
        session.append([user('Where?'), assistant('Here.')]),
      );
      const env = { CLAUDE_CONFIG_DIR: '', PI_CODING_AGENT_DIR: '', CODEX_HOME: '' };
      const { stdout, code } = await machine.run(['handoff', 'cart', '--to', agent, '--json'], { env });
      expect(code).toBe(0);
      const { file, command } = JSON.parse(stdout) as { file: string; command: string };
      expect(file.startsWith(path.join(machine.home, '.'))).toBe(true);
      expect(readFileSync(file, 'utf8')).toContain('Where?');
      expect(command).toMatch(
        new RegExp(
          `^cd ${machine.folder} && ${{ pi: 'pi --session', 'claude-code': 'claude --resume', codex: 'codex resume' }[agent]}`,
        ),
      );
      const again = await machine.run(['handoff', 'cart', '--to', agent], { env });
      expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('is there already')]);
    },
  );
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
